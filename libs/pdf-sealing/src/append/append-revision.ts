import type { LaidOut } from '../lay-out.ts';
import type { PageGeometry } from '../page-geometry.ts';
import { SealingFailure } from '../sealing-failure.ts';
import { appendPages } from './appended-pages.ts';
import type { CompiledPage, CompiledResources, CompiledTemplate } from './compiled-template.ts';
import { contentOf } from './mark.ts';
import { notVisible } from './page-content.ts';
import { ResourceNames } from './resource-names.ts';
import type { Hole, SealOptions } from './revision.ts';
import { hole, signatureDictionary, signatureField } from './signature-field.ts';
import { Update } from './update.ts';
import { Workshop } from './workshop.ts';

/** What follows the template's bytes. `hole` is there when a signature is to come. */
export interface Appended {
  delta: Buffer;
  hole: Hole | undefined;
}

/**
 * Appends one revision with the marks, the pages behind the template's own and, if wanted, a signature field whose signature is still to be
 * filled in. Throws SealingFailure.
 */
export async function appendRevision(
  template: CompiledTemplate,
  { onPages, appended }: LaidOut<CompiledPage>,
  seal: SealOptions | undefined,
): Promise<Appended> {
  if (onPages.size === 0 && appended.length === 0 && !seal) return { delta: Buffer.alloc(0), hole: undefined };
  const update = new Update(template);
  const workshop = new Workshop(update);
  await workshop.take([...onPages.values(), ...appended.map(({ marks }) => marks)]);
  const changes = new Map<CompiledPage, PageChange>();
  for (const [page, marks] of onPages) {
    const names = new ResourceNames(page.resources.names, workshop);
    const contents = contentsWith(
      page,
      template.pages.indexOf(page) + 1,
      names,
      contentOf(marks, page.geometry, names),
      update,
    );
    changes.set(page, { contents, fonts: names.fonts, images: names.images, annotation: '' });
  }
  if (appended.length > 0) appendPages(template, appended, update, workshop);
  const signature = seal && sign(template, seal, update, changes);
  for (const [page, change] of changes) update.set(page.id, pageText(page, change));
  const delta = update.finish();
  return { delta, hole: signature && hole(delta, template.length, signature) };
}

/** What becomes of a page. */
interface PageChange {
  contents: string[];
  /** Entries for its /Font and /XObject. */
  fonts: string;
  images: string;
  annotation: string;
}

/** Keeps the page's own content apart, and puts ours behind it. Throws SealingFailure invalid_pdf where ours would not be visible. */
function contentsWith(
  page: CompiledPage,
  number: number,
  names: ResourceNames,
  text: string,
  update: Update,
): string[] {
  const { contents, content, resources, geometry } = page;
  if (content.kind === 'unusable') throw new SealingFailure('invalid_pdf', notVisible(number, content.reason));
  if (contents.length === 0) return [`${update.addStream(text)} 0 R`];
  const ends = 'EMC\n'.repeat(content.marked);
  if (content.kind === 'isolated') {
    const form = names.form(update.addStream(content.bytes, formEntries(resources, geometry, content.filters)));
    return [`${update.addStream(`q /${form} Do Q\n${ends}${text}`)} 0 R`];
  }
  const before = update.addStream('q\n'.repeat(content.saves));
  const behind = update.addStream(`\n${ends}${'Q\n'.repeat(content.restores)}${text}`);
  return [`${before} 0 R`, ...contents, `${behind} 0 R`];
}

/** Beyond the page by as much as pages can be large: nothing of its content is cut off. */
const MARGIN_PT = 14_400;

function formEntries({ rest, fonts, images }: CompiledResources, { visible }: PageGeometry, filters: string): string {
  const { left, bottom, right, top } = visible;
  const box = [left - MARGIN_PT, bottom - MARGIN_PT, right + MARGIN_PT, top + MARGIN_PT].map((side) => side.toFixed(2));
  const members = [fonts && `/Font << ${fonts}>> `, images && `/XObject << ${images}>> `].join('');
  return `/Type /XObject /Subtype /Form /BBox [${box.join(' ')}] /Resources << ${rest}${members}>> ${filters}`;
}

function sign(
  template: CompiledTemplate,
  seal: SealOptions,
  update: Update,
  changes: Map<CompiledPage, PageChange>,
): { start: number; signatureBytes: number } {
  const page = template.pages[0] as CompiledPage;
  const certifies = seal.certify !== false && seal.kind !== 'timestamp' && !template.earlier.signed; // a certification is the first signature, or none
  const number = update.reserve();
  const start = update.set({ number, generation: 0 }, signatureDictionary(seal, certifies));
  const annotation = `${update.add(signatureField(template, seal.fieldName, `${number} 0 R`, page))} 0 R`;
  const change = changes.get(page) ?? { contents: page.contents, fonts: '', images: '', annotation: '' };
  changes.set(page, { ...change, annotation });
  const { form, catalog } = template;
  const formText = `<< ${form.rest}/Fields [${form.fields} ${annotation}] /SigFlags 3 >>`;
  if (form.id) update.set(form.id, formText);
  const formRef = form.id ? `${form.id.number} ${form.id.generation} R` : `${update.add(formText)} 0 R`;
  if (certifies || !form.id) {
    const permissions = catalog.permissions + (certifies ? `/DocMDP ${number} 0 R ` : catalog.certification);
    const perms = permissions && `/Perms << ${permissions}>> `;
    update.set(catalog.id, `<< ${catalog.rest}${catalog.security}/AcroForm ${formRef} ${perms}>>`);
  }
  return { start, signatureBytes: seal.signatureBytes };
}

function pageText(page: CompiledPage, { contents, fonts, images, annotation }: PageChange): string {
  const { rest, resources, annotations } = page;
  const ours = [
    resources.fonts + fonts && `/Font << ${resources.fonts}${fonts}>> `,
    resources.images + images && `/XObject << ${resources.images}${images}>> `,
  ].join('');
  return [
    `<< ${rest}/Resources << ${resources.rest}${ours}>> `,
    contents.length > 0 ? `/Contents [${contents.join(' ')}] ` : '',
    annotations + annotation && `/Annots [${annotations} ${annotation}] `,
    '>>',
  ].join('');
}
