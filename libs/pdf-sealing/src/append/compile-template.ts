import { PDFArray, PDFDict, PDFHexString, PDFName, PDFRef, PDFStream, PDFString } from 'pdf-lib';
import type { PDFDocument, PDFObject } from 'pdf-lib';
import { earlierSignatures } from '../earlier-signatures.ts';
import type { EarlierSignatures } from '../earlier-signatures.ts';
import { loadDocument } from '../load-document.ts';
import type { PageGeometry } from '../page-geometry.ts';
import { pageTree } from '../pages.ts';
import type { Page, PageTree } from '../pages.ts';
import { SealingFailure } from '../sealing-failure.ts';
import { ContentBalances } from './content-balance.ts';
import type { ContentBalance } from './content-balance.ts';
import { isContinuable, isContinued } from './continuation.ts';
import type { Continuable } from './continuation.ts';
import type { CrossReference } from './cross-reference.ts';
import { asItIs, entriesText, itemsText, objectText } from './object-text.ts';
import { rewritten } from './rewrite.ts';

/** Object and generation number. */
export interface ObjectId {
  number: number;
  generation: number;
}

/** A page as text, ready to be written anew: what an update changes of it stands apart. */
export interface CompiledPage {
  id: ObjectId;
  geometry: PageGeometry;
  /** Entries but for /Contents, /Resources and /Annots. */
  rest: string;
  contents: string[];
  balance: ContentBalance;
  annotations: string;
  resources: CompiledResources;
}

/** Resources, inherited ones included. Pages that share them share this. */
export interface CompiledResources {
  rest: string;
  fonts: string;
  images: string;
  /** Names in use, without their slash. */
  names: ReadonlySet<string>;
}

/**
 * All that an update of a template needs to know, as text and numbers: neither the file nor its parsed objects are kept, but
 * for a template that had to be written anew.
 */
export interface CompiledTemplate {
  /** The file to append to when it is not the template itself: a damaged one, written anew. */
  rewritten: Buffer | undefined;
  /** Length in bytes of the file to append to. */
  length: number;
  endsInLine: boolean;
  kind: CrossReference['kind'];
  startXref: number;
  size: number;
  /** As they stand in the trailer; empty where it has none. */
  root: string;
  info: string;
  firstId: string;
  pages: CompiledPage[];
  catalog: { id: ObjectId; rest: string };
  /** The root of the page tree: entries but for /Kids and /Count, its kids, and how many pages it has in all. */
  pageTree: { id: ObjectId; rest: string; kids: string; count: number };
  form: { id: ObjectId | undefined; rest: string; fields: string; names: ReadonlySet<string> };
  earlier: EarlierSignatures;
  /** What it takes in memory, roughly, in bytes. */
  heldBytes: number;
}

/**
 * Parses and judges a template. One that readers would have to guess at is written anew by pdf-lib first; a signed one cannot be.
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
  const rest = entriesText(catalog, ['AcroForm']);
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
    catalog: { id: idOf(root), rest },
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

const PER_PAGE_BYTES = 600;

function heldBy(pages: readonly CompiledPage[]): number {
  const shared = [...new Set(pages.map(({ resources }) => resources))];
  const own = pages.reduce((sum, page) => sum + page.rest.length + page.annotations.length + PER_PAGE_BYTES, 0);
  return shared.reduce((sum, { rest, fonts, images }) => sum + rest.length + fonts.length + images.length, own);
}

function compiledPages(document: PDFDocument, tree: PageTree): CompiledPage[] {
  const balances = new ContentBalances();
  const pages = new Map<PDFDict, CompiledPage>();
  const resources = new Map<PDFObject | undefined, CompiledResources>();
  return tree.pages.map((page) => {
    const known = pages.get(page.dict);
    if (known) return known;
    const used = page.inherited('Resources');
    let shared = resources.get(used);
    if (!shared) resources.set(used, (shared = compiledResources(used)));
    const made = compiledPage(document, page, shared, balances);
    pages.set(page.dict, made);
    return made;
  });
}

function compiledPage(
  { context }: PDFDocument,
  page: Page,
  resources: CompiledResources,
  balances: ContentBalances,
): CompiledPage {
  const { dict, ref, geometry } = page;
  const contents = dict.get(PDFName.of('Contents'));
  const looked = context.lookup(contents);
  // Readers drop the whole content over one part that is no stream.
  const named = looked instanceof PDFArray ? looked.asArray() : [contents];
  const own = named.filter((part) => part instanceof PDFRef && context.lookup(part) instanceof PDFStream) as PDFRef[];
  const annotations = dict.lookup(PDFName.of('Annots'));
  return {
    id: idOf(ref as PDFRef),
    geometry,
    rest: entriesText(dict, ['Contents', 'Resources', 'Annots']),
    contents: own.map((stream) => objectText(stream)),
    balance: balances.of(own.map((stream) => context.lookup(stream))),
    annotations: annotations instanceof PDFArray ? itemsText(annotations) : '',
    resources,
  };
}

function compiledResources(value: PDFObject | undefined): CompiledResources {
  const dict = value instanceof PDFDict ? value : undefined;
  const [fonts, images] = ['Font', 'XObject'].map((key) => {
    const members = dict?.lookup(PDFName.of(key));
    return members instanceof PDFDict ? members : undefined;
  }) as [PDFDict | undefined, PDFDict | undefined];
  const names = [fonts, images].flatMap((members) => members?.keys() ?? []);
  return {
    rest: dict ? entriesText(dict, ['Font', 'XObject']) : '',
    fonts: fonts ? entriesText(fonts) : '',
    images: images ? entriesText(images) : '',
    names: new Set(names.map((name) => name.toString().slice(1))),
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

const idOf = ({ objectNumber, generationNumber }: PDFRef): ObjectId => ({
  number: objectNumber,
  generation: generationNumber,
});
