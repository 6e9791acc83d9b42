import { PDFArray, PDFDict, PDFName, PDFRawStream, PDFStream } from 'pdf-lib';
import type { PDFDocument, PDFFont, PDFObject, PDFRef } from 'pdf-lib';
import { embed, HelveticaMeasures, lineOfText } from './line-of-text.ts';
import type { Face, LineOfText } from './line-of-text.ts';
import { loadDocument } from './load-document.ts';
import { pageGeometry, toPage, UPRIGHT } from './page-geometry.ts';
import type { PageGeometry } from './page-geometry.ts';
import { pagesOf } from './pages.ts';
import type { Page } from './pages.ts';
import type { Placeholder } from './placeholder.ts';
import { SealingFailure } from './sealing-failure.ts';

/** How far text may stand over the edge, in points: rounding, and the anti-aliased rim of a letter. */
const TOLERANCE_PT = 0.5;

interface Drawing {
  placeholder: Placeholder;
  line: LineOfText;
  page: Page;
  geometry: PageGeometry;
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
  const pages = pagesOf(document);
  const drawings = placeholders.flatMap((placeholder): Drawing[] => {
    const line = lineOfText(
      Object.hasOwn(values, placeholder.key) ? (values[placeholder.key] as string) : '',
      placeholder.key,
      {
        helvetica,
      },
    );
    if (!line) return [];
    const page = pages[placeholder.page - 1];
    if (!page) throw outside(placeholder, pageMissing(placeholder, pages.length));
    const geometry = pageGeometry(page.inherited);
    requireInside(placeholder, geometry, line);
    return [{ placeholder, line, page, geometry }];
  });
  await draw(document, drawings);
  return document.save({
    useObjectStreams: usedObjectStreams,
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Infinity,
  });
}

/** The sentence about a placeholder whose start is not on the page, or undefined. Also a warning at upload. */
export function startOutside(placeholder: Placeholder, pages: readonly Page[]): string | undefined {
  const page = pages[placeholder.page - 1];
  if (!page) return pageMissing(placeholder, pages.length);
  const { width, height } = pageGeometry(page.inherited);
  const inside = placeholder.x >= 0 && placeholder.x <= width && placeholder.y >= 0 && placeholder.y <= height;
  if (inside) return undefined;
  return (
    `Placeholder "${placeholder.key}" starts outside page ${placeholder.page}: ` +
    `(${placeholder.x}, ${placeholder.y}) on a page of ${points(width)} by ${points(height)} points.`
  );
}

function pageMissing(placeholder: Placeholder, count: number): string {
  return `Placeholder "${placeholder.key}" is on page ${placeholder.page}, and the document has ${count} ${count === 1 ? 'page' : 'pages'}.`;
}

function requireInside(placeholder: Placeholder, { width, height }: PageGeometry, line: LineOfText): void {
  const { key, x, y, size, page } = placeholder;
  if (!(x >= 0 && x <= width && y >= 0 && y <= height))
    throw outside(
      placeholder,
      `Placeholder "${key}" starts outside page ${page}: (${x}, ${y}) on a page of ${points(width)} by ${points(height)} points.`,
    );
  const edges = {
    right: x + line.width * size - width,
    top: y + line.ascent * size - height,
    bottom: -(y + line.descent * size),
  };
  const left = Object.entries(edges).find(([, over]) => over > TOLERANCE_PT);
  if (left) {
    throw new SealingFailure(
      'text_overflow',
      `The value for placeholder "${key}" leaves page ${page} at the ${left[0]} by ${points(left[1])} points.`,
    );
  }
}

function outside(placeholder: Placeholder, sentence: string): SealingFailure {
  return new SealingFailure('placeholder_outside_page', sentence);
}

const points = (length: number) => String(Math.round(length * 10) / 10);

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
