import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream, PDFStream } from 'pdf-lib';
import type { PDFDocument, PDFFont, PDFObject, PDFRef } from 'pdf-lib';
import { embed, HelveticaMeasures, lineOfText } from './line-of-text.ts';
import type { Face, LineOfText } from './line-of-text.ts';
import { loadDocument } from './load-document.ts';
import { toPage, UPRIGHT } from './page-geometry.ts';
import { pageTree } from './pages.ts';
import type { Branch, Page } from './pages.ts';
import type { Placeholder } from './placeholder.ts';
import { placeOf, requireRoom } from './placement.ts';
import type { Place } from './placement.ts';

interface Drawing extends Place {
  placeholder: Placeholder;
  line: LineOfText;
}

let measures: Promise<HelveticaMeasures> | undefined;

/**
 * Draws each value at its placeholder and saves: black, upright to the viewer, on top of the page. A value that is empty or
 * absent draws nothing. Throws SealingFailure; nothing is drawn unless everything can be.
 */
export async function fillDocument(
  pdf: Buffer,
  placeholders: readonly Placeholder[],
  values: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  const helvetica = await (measures ??= HelveticaMeasures.load());
  const { document, usedObjectStreams } = await loadDocument(pdf);
  const { pages, branches } = pageTree(document);
  const drawings = placeholders.flatMap((placeholder): Drawing[] => {
    const { key } = placeholder;
    const line = lineOfText(Object.hasOwn(values, key) ? (values[key] as string) : '', key, helvetica);
    if (!line) return [];
    const place = placeOf(placeholder, pages);
    requireRoom(placeholder, place.geometry, line);
    return [{ placeholder, line, ...place }];
  });
  await draw(document, drawings);
  mendCounts(branches);
  return document.save({
    useObjectStreams: usedObjectStreams,
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Infinity,
  });
}

/** Readers believe /Count, and show nothing when it lies. */
function mendCounts(branches: readonly Branch[]): void {
  for (const { node, pages } of branches) {
    const count = node.lookup(PDFName.of('Count'));
    if (!(count instanceof PDFNumber) || count.asNumber() !== pages) node.set(PDFName.of('Count'), PDFNumber.of(pages));
  }
}

async function draw(document: PDFDocument, drawings: readonly Drawing[]): Promise<void> {
  const fonts = new Map<Face, PDFFont>();
  for (const face of new Set(drawings.map(({ line }) => line.face))) fonts.set(face, await embed(document, face));
  for (const page of new Set(drawings.map((drawing) => drawing.page))) {
    const own = drawings.filter((drawing) => drawing.page === page);
    const names = nameFonts(
      document,
      page,
      [...new Set(own.map(({ line }) => line.face))].map((face) => [face, fonts.get(face) as PDFFont]),
    );
    const text = own.map((drawing) => operators(drawing, fonts.get(drawing.line.face) as PDFFont, names)).join('');
    appendContent(document, page.dict, text);
  }
}

/** One line of text. The graphics state is set anew: a page's own content may leave any behind. */
function operators({ placeholder, line, geometry }: Drawing, font: PDFFont, names: Map<Face, string>): string {
  const { x, y } = toPage(geometry, placeholder.x, placeholder.y);
  const { cos, sin } = UPRIGHT[geometry.rotation];
  const matrix = [cos, sin, -sin, cos, x, y].map(decimal).join(' ');
  const shown = font.encodeText(line.text).toString();
  return `q 0 g BT /${names.get(line.face)} ${decimal(placeholder.size)} Tf 0 Tr 0 Tc 0 Tw 100 Tz 0 Ts ${matrix} Tm ${shown} Tj ET Q\n`;
}

/** PDF numbers have no exponent. */
function decimal(number: number): string {
  return String(Number(number.toFixed(4)));
}

/** Gives the page its own resources with our fonts in them: inherited and shared ones stay as they are. */
function nameFonts(document: PDFDocument, page: Page, faces: [Face, PDFFont][]): Map<Face, string> {
  const { context } = document;
  const copy = (value: PDFObject | undefined) =>
    value instanceof PDFDict ? PDFDict.fromMapWithContext(value.asMap(), context) : context.obj({});
  const resources = copy(page.inherited('Resources'));
  const fonts = copy(resources.lookup(PDFName.of('Font')));
  const names = faces.map(([face, font]): [Face, string] => {
    const name = fonts.uniqueKey(face === 'helvetica' ? 'SealHelv' : 'SealSans');
    fonts.set(name, font.ref);
    return [face, name.asString().slice(1)];
  });
  resources.set(PDFName.of('Font'), fonts);
  page.dict.set(PDFName.of('Resources'), resources);
  return new Map(names);
}

/** Puts the page's own content between q and Q, so that its transformations end with it, and ours behind. */
function appendContent(document: PDFDocument, page: PDFDict, text: string): void {
  const { context } = document;
  const contents = page.get(PDFName.of('Contents'));
  const looked = context.lookup(contents);
  const own = looked instanceof PDFArray ? looked.asArray() : looked instanceof PDFStream ? [contents as PDFRef] : [];
  const stream = (body: string) => context.register(PDFRawStream.of(context.obj({}), Buffer.from(body, 'latin1')));
  const all = [stream('q\n'), ...own, stream('\nQ\n'), stream(text)];
  page.set(PDFName.of('Contents'), context.obj(own.length > 0 ? all : [all.at(-1) as PDFRef]));
}
