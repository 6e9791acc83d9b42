import type { Mark } from './append/mark.ts';
import type { Additions, AppendedPage, Drawing, Picture, TextBox } from './drawing.ts';
import { lineOfText } from './line-of-text.ts';
import type { PageGeometry } from './page-geometry.ts';
import { checkedPicture } from './picture.ts';
import type { CheckedPicture } from './picture.ts';
import { pageOf, requireBox, requireRoom, requireStart } from './placement.ts';
import type { Sheet } from './placement.ts';
import { SealingFailure } from './sealing-failure.ts';
import { fittedSize, fittedText } from './text-box.ts';

/** Additions whose every mark is known to fit. */
export interface LaidOut<Page> {
  onPages: Map<Page, Mark[]>;
  appended: { width: number; height: number; marks: Mark[] }[];
}

/** What readers take for a page (ISO 32000-1, annex C.2). */
const LEAST_SIDE_PT = 3;
const MOST_SIDE_PT = 14_400;
const MOST_APPENDED = 500;

/**
 * Finds each drawing's place, breaks text into lines and looks at pictures. Nothing is drawn unless everything can be. Throws
 * SealingFailure naming the key when one cannot be drawn or does not fit.
 */
export function laidOut<Page extends { readonly geometry: PageGeometry }>(
  { drawings, banner = [], pages = [] }: Additions,
  templatePages: readonly Page[],
): LaidOut<Page> {
  const pictures = new Pictures();
  const onPages = new Map<Page, Mark[]>();
  for (const drawing of drawings) {
    if (isBlank(drawing)) continue; // its place is no matter
    const page = pageOf(drawing, templatePages);
    const { width, height } = page.geometry;
    let marks = onPages.get(page);
    if (!marks) onPages.set(page, (marks = []));
    put(marks, drawing, { name: `page ${drawing.page}`, width, height }, pictures);
  }
  for (const page of banner.length > 0 ? templatePages : []) {
    const { width, height } = page.geometry;
    const marks = onPages.get(page) ?? [];
    onPages.set(page, marks);
    const boxes = bannerOf(banner, { width, height });
    for (const box of boxes) put(marks, box, { name: 'a page', width, height }, pictures);
  }
  if (pages.length > MOST_APPENDED) throw new SealingFailure('too_complex', 'Too many pages are to be appended.');
  return { onPages, appended: pages.map((page, nth) => sheetOf(page, nth + 1, pictures)) };
}

/** Points. */
const BANNER = { line: 10, size: 8 } as const;
const BANNER_COLOUR = [0.75, 0.1, 0.1] as const;

/** The lines below the upper edge, as far as there is room for them. */
function bannerOf(lines: readonly string[], { width, height }: { width: number; height: number }): TextBox[] {
  const fitting = lines.slice(0, Math.floor(height / BANNER.line));
  return fitting.map((text, nth) => ({
    ...{ kind: 'text_box', key: 'banner', text, size: BANNER.size, face: 'bold', colour: BANNER_COLOUR },
    ...{ x: 0, y: height - BANNER.line * (nth + 1), width, height: BANNER.line, align: 'centre', lenient: true },
  }));
}

function sheetOf({ width, height, drawings }: AppendedPage, number: number, pictures: Pictures) {
  for (const side of [width, height])
    if (!(side >= LEAST_SIDE_PT && side <= MOST_SIDE_PT))
      throw new SealingFailure('placeholder_outside_page', `Appended page ${number} has an impossible size.`);
  const marks: Mark[] = [];
  for (const drawing of drawings)
    if (!isBlank(drawing)) put(marks, drawing, { name: `appended page ${number}`, width, height }, pictures);
  return { width, height, marks };
}

const isBlank = (drawing: Drawing) => 'text' in drawing && drawing.text.trim() === '';

function put(marks: Mark[], drawing: Drawing, sheet: Sheet, pictures: Pictures): void {
  if (drawing.kind === 'text') {
    const { key, x, y, text, face, colour } = drawing;
    const line = lineOfText(text, key, face);
    if (!line) return;
    requireStart(drawing, sheet);
    const size = fittedSize(drawing, line);
    requireRoom({ key, x, y, size }, sheet, line);
    marks.push({ kind: 'text', x, y, size, line, colour });
    return;
  }
  requireBox(drawing, sheet);
  const { x, y, width, height } = drawing;
  switch (drawing.kind) {
    case 'text_box': {
      const fitted = fittedText(drawing);
      for (const line of fitted?.lines ?? [])
        marks.push({ kind: 'text', x: x + line.x, y: y + line.y, size: fitted?.size as number, line: line.line, colour: drawing.colour }); // prettier-ignore
      return;
    }
    case 'checkmark': {
      const size = Math.min(width, height);
      marks.push({ kind: 'checkmark', ...middle(drawing, size, size), size, colour: drawing.colour });
      return;
    }
    case 'image': {
      const picture = pictures.of(drawing);
      const scale = Math.min(width / picture.width, height / picture.height);
      const [shownWidth, shownHeight] = [picture.width * scale, picture.height * scale];
      const corner = middle(drawing, shownWidth, shownHeight);
      marks.push({ kind: 'image', ...corner, width: shownWidth, height: shownHeight, picture });
      return;
    }
    case 'rule':
      marks.push({ kind: 'rule', x, y, width, height, colour: drawing.colour });
      return;
    case 'modules':
      marks.push({ kind: 'modules', x, y, width, height, rows: drawing.rows });
  }
}

/** The corner of something in the middle of a box. */
function middle(box: { x: number; y: number; width: number; height: number }, width: number, height: number) {
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2 };
}

/** Each picture is looked at once, however often it is drawn. */
class Pictures {
  private readonly known = new Map<Uint8Array, CheckedPicture | string>();

  of({ key, bytes }: Picture): CheckedPicture {
    let picture = this.known.get(bytes);
    if (!picture) this.known.set(bytes, (picture = checkedPicture(bytes)));
    if (typeof picture === 'string') throw new SealingFailure('invalid_image', `The picture for "${key}" ${picture}.`);
    return picture;
  }
}
