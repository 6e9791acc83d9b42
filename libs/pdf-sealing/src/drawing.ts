/**
 * How text looks: Helvetica, Helvetica bold, Times italic for a typed signature, or Courier for digests and commands. What WinAnsi lacks is
 * DejaVu Sans in each.
 */
export type Face = 'plain' | 'bold' | 'signature' | 'fixed';

/** Red, green and blue, each 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number];

interface At {
  /** What a failure names it by: a placeholder's or field's key. */
  key: string;
  /** Points from the lower-left corner of the page as a viewer shows it, its CropBox after /Rotate. Of text: where its baseline begins. */
  x: number;
  y: number;
}

/** A rectangle with x and y as its lower-left corner, upright to the viewer. It must lie on the page. */
interface In extends At {
  width: number;
  height: number;
}

interface Written {
  text: string;
  /** Points. In a box, the largest that is tried. */
  size: number;
  face?: Face;
  colour?: Colour;
}

/**
 * One line of text. With `maxWidth` (points) a wider line is drawn smaller, and no smaller than 4 points. Refused with text_overflow when it
 * does not fit then, or leaves the page.
 */
export interface TextLine extends At, Written {
  kind: 'text';
  maxWidth?: number | undefined;
}

/**
 * Text in a box, in words broken over at most `lines` lines (1), as large as it fits, and no smaller than 4 points; else refused
 * with text_overflow.
 */
export interface TextBox extends In, Written {
  kind: 'text_box';
  lines?: number;
  align?: 'left' | 'centre' | 'right';
  /** Where the lines stand in the box: its middle, or from its top. */
  from?: 'middle' | 'top';
  /**
   * For evidence, which must not stop a seal: what does not fit is cut and ends in …, and a character that cannot be drawn stands as U+FFFD.
   */
  lenient?: boolean;
}

/** A picture, as large as it fits into its box, in the middle of it: PNG (transparency kept) or JPEG, of 2 MB and 8 million pixels at most. */
export interface Picture<Bytes = Uint8Array> extends In {
  kind: 'image';
  bytes: Bytes;
}

/** A tick, as large as it fits into its box, in the middle of it. */
export interface Checkmark extends In {
  kind: 'checkmark';
  colour?: Colour;
}

/** A filled rectangle: a line where it is thin. */
export interface Rule extends In {
  kind: 'rule';
  colour?: Colour;
}

/** The modules of a QR code, without its quiet zone: rows from the top, `1` for dark. Drawn as one shape, sharp at every size. */
export interface Modules extends In {
  kind: 'modules';
  rows: readonly string[];
}

/** One thing to draw, on top of the page. `Bytes`: how a picture is carried. */
export type Drawing<Bytes = Uint8Array> = TextLine | TextBox | Picture<Bytes> | Checkmark | Rule | Modules;

/** On a page of the template, 1-based. */
export type PlacedDrawing<Bytes = Uint8Array> = Drawing<Bytes> & { page: number };

/** A page that follows the template's own. */
export interface AppendedPage<Bytes = Uint8Array> {
  /** Points, 3 to 14,400. */
  width: number;
  height: number;
  drawings: readonly Drawing<Bytes>[];
}

/** What one appended revision adds to a template, in order. */
export interface Additions<Bytes = Uint8Array> {
  drawings: readonly PlacedDrawing<Bytes>[];
  /** Lines of text at the top of each page of the template: what the file is. Cut where they do not fit. */
  banner?: readonly string[];
  pages?: readonly AppendedPage<Bytes>[];
}
