import type { LineOfText } from './line-of-text.ts';
import type { PageGeometry } from './page-geometry.ts';
import type { Placeholder } from './placeholder.ts';
import { SealingFailure } from './sealing-failure.ts';

/** How far text may stand over the edge, in points: rounding, and the anti-aliased rim of a letter. */
const TOLERANCE_PT = 0.5;

/** Finds the page that a placeholder starts on. Throws SealingFailure placeholder_outside_page. */
export function placeOf<Page extends { readonly geometry: PageGeometry }>(
  { key, page: number, x, y }: Placeholder,
  pages: readonly Page[],
): Page {
  const page = pages[number - 1];
  if (!page) {
    const count = pages.length === 1 ? '1 page' : `${pages.length} pages`;
    throw outside(`Placeholder "${key}" is on page ${number}, and the document has ${count}.`);
  }
  const { width, height } = page.geometry;
  if (x >= 0 && x <= width && y >= 0 && y <= height) return page;
  const size = `${points(width)} by ${points(height)} points`;
  throw outside(`Placeholder "${key}" starts outside page ${number}: (${x}, ${y}) on a page of ${size}.`);
}

/** Refuses a line of text that does not fit between its start and the edges of the page: SealingFailure text_overflow. */
export function requireRoom(placeholder: Placeholder, { width, height }: PageGeometry, line: LineOfText): void {
  const { key, x, y, size, page } = placeholder;
  const over = {
    right: x + line.width * size - width,
    top: y + line.ascent * size - height,
    bottom: -(y + line.descent * size),
  };
  const edge = (['right', 'top', 'bottom'] as const).find((each) => over[each] > TOLERANCE_PT);
  if (edge === undefined) return;
  throw new SealingFailure(
    'text_overflow',
    `The value for placeholder "${key}" leaves page ${page} at the ${edge} by ${points(over[edge])} points.`,
  );
}

const outside = (sentence: string) => new SealingFailure('placeholder_outside_page', sentence);
const points = (length: number) => String(Math.round(length * 10) / 10);
