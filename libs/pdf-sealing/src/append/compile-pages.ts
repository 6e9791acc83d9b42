import { PDFArray, PDFDict, PDFName } from 'pdf-lib';
import type { PDFRef } from 'pdf-lib';
import type { PDFDocument, PDFObject } from 'pdf-lib';
import { contentRefs } from '../page-streams.ts';
import type { Page, PageTree } from '../pages.ts';
import type { CompiledPage, CompiledResources, ObjectId } from './compiled-template.ts';
import { entriesText, itemsText, objectText } from './object-text.ts';
import { PageContents } from './page-content.ts';

const PER_PAGE_BYTES = 600;

/** What pages take in memory, roughly, in bytes. */
export function heldBy(pages: readonly CompiledPage[]): number {
  const shared = [...new Set(pages.map(({ resources }) => resources))];
  const own = pages.reduce(
    (sum, { rest, annotations, content }) =>
      sum +
      rest.length +
      annotations.length +
      PER_PAGE_BYTES +
      (content.kind === 'isolated' ? content.bytes.length : 0),
    0,
  );
  return shared.reduce((sum, { rest, fonts, images }) => sum + rest.length + fonts.length + images.length, own);
}

/** The pages of a document as text, in order; what is the same in several is made once. */
export function compiledPages(document: PDFDocument, tree: PageTree): CompiledPage[] {
  const pageContents = new PageContents();
  const pages = new Map<PDFDict, CompiledPage>();
  const resources = new Map<PDFObject | undefined, CompiledResources>();
  return tree.pages.map((page) => {
    const known = pages.get(page.dict);
    if (known) return known;
    const used = page.inherited('Resources');
    let shared = resources.get(used);
    if (!shared) resources.set(used, (shared = compiledResources(used)));
    const made = compiledPage(document, page, shared, pageContents);
    pages.set(page.dict, made);
    return made;
  });
}

function compiledPage(
  document: PDFDocument,
  page: Page,
  resources: CompiledResources,
  pageContents: PageContents,
): CompiledPage {
  const { dict, ref, geometry } = page;
  const own = contentRefs(page, document);
  const annotations = dict.lookup(PDFName.of('Annots'));
  return {
    id: idOf(ref as PDFRef),
    geometry,
    rest: entriesText(dict, ['Contents', 'Resources', 'Annots']),
    contents: own.map((stream) => objectText(stream)),
    content: pageContents.of(own.map((stream) => document.context.lookup(stream))),
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

export const idOf = ({ objectNumber, generationNumber }: PDFRef): ObjectId => ({
  number: objectNumber,
  generation: generationNumber,
});
