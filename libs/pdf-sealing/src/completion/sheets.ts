import type { AppendedPage, Colour, Drawing, Face, TextBox } from '../drawing.ts';

const INK: Colour = [0.1, 0.11, 0.14];
export const GREY: Colour = [0.4, 0.43, 0.49];
export const ACCENT: Colour = [0.07, 0.2, 0.42];
export const LINE: Colour = [0.8, 0.83, 0.88];
export const PANEL: Colour = [0.957, 0.967, 0.982];
export const WHITE: Colour = [1, 1, 1];

const MARGIN_PT = 50;
const TOP_PT = 44;
const FOOTER = { y: 30, height: 9, size: 7 };
const GAP_PT = 9;
/** Between the last block and the foot. */
const FOOT_GAP_PT = 8;

/** How a text of the certificate is written. `lines`: it may be broken over as many; each is a line and a fifth of its size high. */
export interface Written {
  size: number;
  face?: Face;
  colour?: Colour;
  lines?: number;
  align?: TextBox['align'];
}

/** Where a block stands: its left and upper edge and its width, in points; `top` counts up from the foot of the page. */
export interface Place {
  left: number;
  top: number;
  width: number;
}

/** A part of the certificate that stands on one page. */
export interface Block {
  height: number;
  draw: (place: Place) => readonly Drawing[];
}

/** Height that so many lines take, in points. */
export const heightOf = ({ size, lines = 1 }: Written) => size * 1.2 * lines;

/**
 * Text with its upper left corner at a place, in the middle of a height where one is given, so that a row may hold several sizes. It is evidence:
 * cut rather than refused.
 */
export function text(value: string, { left, top, width }: Place, written: Written, height?: number): Drawing {
  const { size, face, colour = INK, lines = 1, align } = written;
  const high = height ?? heightOf(written);
  const box = { key: 'certificate', x: left, y: top - high, width, height: high };
  const from = height === undefined ? 'top' : 'middle';
  return { kind: 'text_box', ...box, text: value, size, face, colour, lines, align, from, lenient: true };
}

export function panel({ left, top, width }: Place, height: number, colour: Colour): Drawing {
  return { kind: 'rule', key: 'certificate', x: left, y: top - height, width, height, colour };
}

/** Rows of a label and what it stands for, so many points high each. */
export interface Table {
  labelWidth: number;
  rowHeight: number;
  label: Written;
}

/** Labels on the left, values on the right, one row each. */
export function labelled(
  rows: readonly [label: string, value: string, written: Written][],
  place: Place,
  { labelWidth, rowHeight, label: writtenLabel }: Table,
): Drawing[] {
  return rows.flatMap(([label, value, written], nth) => {
    const top = place.top - nth * rowHeight;
    const right = { left: place.left + labelWidth, top, width: place.width - labelWidth };
    return [
      text(label, { ...place, top, width: labelWidth - 4 }, writtenLabel, rowHeight),
      text(value, right, written, rowHeight),
    ];
  });
}

/** Blocks that stand on one page, one under the other. */
export function together(blocks: readonly Block[]): Block {
  const height = blocks.reduce((sum, block) => sum + block.height, (blocks.length - 1) * GAP_PT);
  const draw = (place: Place) => {
    let { top } = place;
    return blocks.flatMap((block) => {
      const drawn = block.draw({ ...place, top });
      top -= block.height + GAP_PT;
      return drawn;
    });
  };
  return { height, draw };
}

/** Pages that are filled with blocks from the top; a block that does not fit begins the next page. */
export class Sheets {
  private readonly pages: Drawing[][] = [];
  private top = 0;

  constructor(private readonly paper: { width: number; height: number }) {}

  /** Puts a block under the one before. Higher than a page is none. */
  put({ height, draw }: Block): void {
    const lowest = FOOTER.y + FOOTER.height + FOOT_GAP_PT;
    if (this.pages.length === 0 || this.top - height < lowest) {
      this.pages.push([]);
      this.top = this.paper.height - TOP_PT;
    }
    this.pages.at(-1)?.push(...draw({ left: MARGIN_PT, top: this.top, width: this.width }));
    this.top -= height + GAP_PT;
  }

  get width(): number {
    return this.paper.width - 2 * MARGIN_PT;
  }

  /** All pages, with what stands at the foot of each: on the left the same, on the right its number. */
  finished(foot: string, numbered: (number: number, of: number) => string): AppendedPage[] {
    const written = { size: FOOTER.size, colour: GREY };
    return this.pages.map((drawings, nth) => {
      const place = { left: MARGIN_PT, top: FOOTER.y + FOOTER.height, width: this.width };
      const quarter = this.width / 4;
      const number = numbered(nth + 1, this.pages.length);
      const footer = [
        panel({ ...place, top: place.top + 5 }, 0.5, LINE),
        text(foot, { ...place, width: this.width - quarter }, written),
        text(
          number,
          { ...place, left: MARGIN_PT + this.width - quarter, width: quarter },
          { ...written, align: 'right' },
        ),
      ];
      return { ...this.paper, drawings: [...drawings, ...footer] };
    });
  }
}
