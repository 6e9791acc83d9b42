import { PDFArray, PDFDict, PDFHexString, PDFName, PDFRef, PDFString } from 'pdf-lib';
import { earlierSignatures } from '../earlier-signatures.ts';
import { loadDocument } from '../load-document.ts';
import { pageTree } from '../pages.ts';
import type { PageTree } from '../pages.ts';
import { SealingFailure } from '../sealing-failure.ts';
import { compiledPages, heldBy, idOf } from './compile-pages.ts';
import type { CompiledEvidence, CompiledTemplate } from './compiled-template.ts';
import { isContinuable, isContinued } from './continuation.ts';
import type { Continuable } from './continuation.ts';
import { asItIs, entriesText, itemsText, objectText } from './object-text.ts';
import { rewritten } from './rewrite.ts';

/**
 * Parses and judges a template. One that readers would have to guess at is rewritten by pdf-lib first; a signed one cannot be.
 * Throws SealingFailure.
 */
export async function compileTemplate(pdf: Buffer): Promise<CompiledTemplate> {
  const loaded = await loadDocument(pdf);
  const tree = pageTree(loaded.document);
  const earlier = earlierSignatures(loaded.document);
  if (isContinued(loaded, tree, earlier)) return { ...compiled(pdf, loaded, tree), earlier };
  const mended = await rewritten(loaded, tree);
  const again = await loadDocument(mended);
  const mendedTree = pageTree(again.document);
  if (!isContinuable(again, mendedTree))
    throw new SealingFailure('invalid_pdf', 'The document has parts that cannot be read as a PDF.');
  const template = compiled(mended, again, mendedTree);
  return { ...template, earlier, rewritten: mended, heldBytes: template.heldBytes + mended.length };
}

function compiled(
  pdf: Buffer,
  { document, crossReference }: Continuable,
  tree: PageTree,
): Omit<CompiledTemplate, 'earlier'> {
  const { kind, startXref, size, trailer } = crossReference;
  const { context } = document;
  const root = context.trailerInfo.Root as PDFRef;
  const catalog = context.lookup(root, PDFDict);
  const info = trailer.get(PDFName.of('Info'));
  const id = trailer.get(PDFName.of('ID'));
  const firstId = id instanceof PDFArray ? id.get(0) : undefined;
  const pages = compiledPages(document, tree);
  const form = compiledForm(catalog);
  const rest = entriesText(catalog, ['AcroForm', 'Perms', 'DSS']);
  const permissions = compiledPermissions(catalog);
  const pageTree = compiledTree(catalog, tree);
  return {
    rewritten: undefined,
    length: pdf.length,
    endsInLine: pdf.at(-1) === 10,
    kind,
    startXref,
    size,
    root: asItIs(root),
    info: info instanceof PDFRef ? asItIs(info) : '',
    firstId: firstId instanceof PDFHexString || firstId instanceof PDFString ? firstId.toString() : '',
    pages,
    catalog: { id: idOf(root), rest, ...permissions, security: compiledSecurity(catalog) },
    evidence: compiledEvidence(catalog),
    pageTree,
    form,
    heldBytes:
      heldBy(pages) + rest.length + pageTree.rest.length + pageTree.kids.length + form.rest.length + form.fields.length,
  };
}

function compiledTree(catalog: PDFDict, { pages }: PageTree): CompiledTemplate['pageTree'] {
  const root = catalog.lookup(PDFName.of('Pages'), PDFDict);
  return {
    id: idOf(catalog.get(PDFName.of('Pages')) as PDFRef),
    rest: entriesText(root, ['Kids', 'Count']),
    kids: itemsText(root.lookup(PDFName.of('Kids'), PDFArray)),
    count: pages.length,
  };
}

function compiledSecurity(catalog: PDFDict): string {
  const store = catalog.get(PDFName.of('DSS'));
  return store ? `/DSS ${objectText(store)} ` : '';
}

function compiledEvidence(catalog: PDFDict): CompiledEvidence {
  const store = catalog.lookup(PDFName.of('DSS'));
  const dictionary = store instanceof PDFDict ? store : undefined;
  const items = (key: string) => {
    const array = dictionary?.lookup(PDFName.of(key));
    return array instanceof PDFArray ? itemsText(array) : '';
  };
  const related = dictionary?.lookup(PDFName.of('VRI'));
  const VRI = related instanceof PDFDict ? entriesText(related, []) : '';
  return { Certs: items('Certs'), OCSPs: items('OCSPs'), CRLs: items('CRLs'), VRI };
}

function compiledPermissions(catalog: PDFDict): { permissions: string; certification: string } {
  const perms = catalog.lookup(PDFName.of('Perms'));
  if (!(perms instanceof PDFDict)) return { permissions: '', certification: '' };
  const certification = perms.get(PDFName.of('DocMDP'));
  return {
    permissions: entriesText(perms, ['DocMDP']),
    certification: certification ? `/DocMDP ${objectText(certification)} ` : '',
  };
}

function compiledForm(catalog: PDFDict): CompiledTemplate['form'] {
  const ref = catalog.get(PDFName.of('AcroForm'));
  const form = catalog.lookup(PDFName.of('AcroForm'));
  if (!(form instanceof PDFDict)) return { id: undefined, rest: '', fields: '', names: new Set() };
  const fields = form.lookup(PDFName.of('Fields'));
  const members = fields instanceof PDFArray ? fields : undefined;
  const names = new Set<string>();
  for (let index = 0; index < (members?.size() ?? 0); index++) {
    const field = members?.lookup(index);
    const name = field instanceof PDFDict ? field.lookup(PDFName.of('T')) : undefined;
    if (name instanceof PDFString || name instanceof PDFHexString) names.add(name.decodeText());
  }
  return {
    id: ref instanceof PDFRef ? idOf(ref) : undefined,
    rest: entriesText(form, ['Fields', 'SigFlags']),
    fields: members ? itemsText(members) : '',
    names,
  };
}
