import type { Face } from '../line-of-text.ts';
import type { CompiledPage, CompiledTemplate } from './compile-template.ts';
import { operators } from './drawing.ts';
import type { Drawing } from './drawing.ts';
import type { PreparedSeal, SealOptions } from './revision.ts';
import { hole, signatureDictionary, signatureField } from './signature-field.ts';
import { Update } from './update.ts';
import { Workshop } from './workshop.ts';

/** What follows the template's bytes. `hole` is there when a signature is to come. */
export interface Appended {
  delta: Buffer;
  hole: Omit<PreparedSeal, 'bytes'> | undefined;
}

/** Appends one revision with the drawings and, if wanted, a signature field whose signature is still to be filled in. */
export async function appendRevision(
  template: CompiledTemplate,
  drawings: readonly Drawing[],
  seal: SealOptions | undefined,
): Promise<Appended> {
  if (drawings.length === 0 && !seal) return { delta: Buffer.alloc(0), hole: undefined };
  const update = new Update(template);
  const changes = await draw(template, drawings, update);
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

function changeOf(changes: Map<CompiledPage, PageChange>, page: CompiledPage): PageChange {
  let change = changes.get(page);
  if (!change) changes.set(page, (change = { contents: page.contents, fonts: '', images: '', annotation: '' }));
  return change;
}

async function draw(
  template: CompiledTemplate,
  drawings: readonly Drawing[],
  update: Update,
): Promise<Map<CompiledPage, PageChange>> {
  const workshop = new Workshop();
  const codes: string[] = [];
  for (const drawing of drawings) {
    codes.push(drawing.kind === 'text' ? await workshop.codes(drawing.line) : '');
    if (drawing.kind === 'image') await workshop.takeImage(drawing.bytes);
  }
  const { font, image } = await workshop.writeInto(update);
  const changes = new Map<CompiledPage, PageChange>();
  const texts = new Map<CompiledPage, string>();
  const names = new Map<CompiledPage, Names>();
  drawings.forEach((drawing, nth) => {
    const page = template.pages[drawing.page - 1] as CompiledPage;
    let own = names.get(page);
    if (!own) names.set(page, (own = new Names(page, changeOf(changes, page), font, image)));
    const text = operators(drawing, page.geometry, { name: own.of(drawing), codes: codes[nth] as string });
    texts.set(page, (texts.get(page) ?? '') + text);
  });
  for (const [page, text] of texts) changeOf(changes, page).contents = contentsWith(page, text, update);
  return changes;
}

/** Puts the page's own content between q and Q, so that its transformations end with it, and ours behind. */
function contentsWith({ contents, balance }: CompiledPage, text: string, update: Update): string[] {
  if (contents.length === 0) return [`${update.addStream(text)} 0 R`];
  const saves = 1 + balance.below;
  const before = update.addStream('q\n'.repeat(saves));
  const behind = update.addStream(`\n${'Q\n'.repeat(saves + balance.net)}${text}`);
  return [`${before} 0 R`, ...contents, `${behind} 0 R`];
}

/** Names our fonts and images in a page's resources, where each is used. */
class Names {
  private readonly known = new Map<Face | Uint8Array, string>();

  constructor(
    private readonly page: CompiledPage,
    private readonly change: PageChange,
    private readonly font: (face: Face) => string,
    private readonly image: (bytes: Uint8Array) => string,
  ) {}

  of(drawing: Drawing): string {
    if (drawing.kind === 'checkmark') return '';
    const what = drawing.kind === 'text' ? drawing.line.face : drawing.bytes;
    let name = this.known.get(what);
    if (name !== undefined) return name;
    if (typeof what === 'string') {
      name = this.free(what === 'helvetica' ? 'SealHelv' : 'SealSans');
      this.change.fonts += `/${name} ${this.font(what)} `;
    } else {
      name = this.free('SealImage');
      this.change.images += `/${name} ${this.image(what)} `;
    }
    this.known.set(what, name);
    return name;
  }

  private free(stem: string): string {
    const taken = new Set([...this.page.resources.names, ...this.known.values()]);
    for (let nth = 0; ; nth++) if (!taken.has(`${stem}-${nth}`)) return `${stem}-${nth}`;
  }
}

function sign(
  template: CompiledTemplate,
  seal: SealOptions,
  update: Update,
  changes: Map<CompiledPage, PageChange>,
): { start: number; signatureBytes: number } {
  const page = template.pages[0] as CompiledPage;
  const number = update.reserve();
  const start = update.set({ number, generation: 0 }, signatureDictionary(seal));
  const field = update.add(signatureField(template, seal.fieldName, `${number} 0 R`, page));
  changeOf(changes, page).annotation = `${field} 0 R`;
  const { form, catalog } = template;
  const formText = `<< ${form.rest}/Fields [${form.fields} ${field} 0 R] /SigFlags 3 >>`;
  if (form.id) update.set(form.id, formText);
  else update.set(catalog.id, `<< ${catalog.rest}/AcroForm ${update.add(formText)} 0 R >>`);
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
