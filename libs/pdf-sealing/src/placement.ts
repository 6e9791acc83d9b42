import type { LineOfText } from './line-of-text.ts';
import { SealingFailure } from './sealing-failure.ts';

/** A page as a viewer shows it, in points, and how a sentence names it. */
export interface Sheet {
  name: string;
  width: number;
  height: number;
}

interface At {
  key: string;
  x: number;
  y: number;
}

/** How far text or a box may stand over the edge, in points: rounding, and the anti-aliased rim of a letter. */
const TOLERANCE_PT = 0.5;

/** Finds a drawing's page. Throws SealingFailure placeholder_outside_page. */
export function pageOf<Page>({ key, page: number }: { key: string; page: number }, pages: readonly Page[]): Page {
  const page = pages[number - 1];
  if (page) return page;
  const count = pages.length === 1 ? '1 page' : `${pages.length} pages`;
  throw outside(`Placeholder "${key}" is on page ${number}, and the document has ${count}.`);
}

/** Refuses what starts outside its page: SealingFailure placeholder_outside_page. */
export function requireStart({ key, x, y }: At, { name, width, height }: Sheet): void {
  if (x >= 0 && x <= width && y >= 0 && y <= height) return;
  const size = `${points(width)} by ${points(height)} points`;
  throw outside(`Placeholder "${key}" starts outside ${name}: (${x}, ${y}) on a page of ${size}.`);
}

/** Refuses a box that is none, or does not lie on its page: SealingFailure placeholder_outside_page. */
export function requireBox(box: At & { width: number; height: number }, sheet: Sheet): void {
  requireStart(box, sheet);
  const { key, x, y, width, height } = box;
  if (!(width > 0 && height > 0)) throw outside(`Placeholder "${key}" has no width or no height.`);
  if (x + width <= sheet.width + TOLERANCE_PT && y + height <= sheet.height + TOLERANCE_PT) return;
  const over = Math.max(x + width - sheet.width, y + height - sheet.height);
  throw outside(`Placeholder "${key}" leaves ${sheet.name} by ${points(over)} points.`);
}

/** Refuses a line of text that does not fit between its start and the edges of the page: SealingFailure text_overflow. */
export function requireRoom(text: At & { size: number }, { name, width, height }: Sheet, line: LineOfText): void {
  const { key, x, y, size } = text;
  const right = x + line.width * size - width;
  const top = y + line.ascent * size - height;
  const bottom = -(y + line.descent * size);
  const over = Math.max(right, top, bottom);
  if (over <= TOLERANCE_PT) return;
  const edge = right > TOLERANCE_PT ? 'right' : top > TOLERANCE_PT ? 'top' : 'bottom';
  const by = { right, top, bottom }[edge];
  throw new SealingFailure(
    'text_overflow',
    `The value for placeholder "${key}" leaves ${name} at the ${edge} by ${points(by)} points.`,
  );
}

const outside = (sentence: string) => new SealingFailure('placeholder_outside_page', sentence);
const points = (length: number) => String(Math.round(length * 10) / 10);
