import { PDFArray, PDFDict, PDFName, PDFNull, PDFNumber } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';

/** A rectangle in the page's own (default user space) coordinates. */
export interface Box {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** Clockwise turn that a viewer gives the page. */
export type Rotation = 0 | 90 | 180 | 270;

/** What of the page a viewer shows, and how. width and height are those of the shown page, rotation applied. */
export interface PageGeometry {
  visible: Box;
  rotation: Rotation;
  width: number;
  height: number;
}

/** What viewers assume for a page without a usable MediaBox: US Letter. */
const LETTER: Box = { left: 0, bottom: 0, right: 612, top: 792 };

/** Attributes that a page takes from its ancestors when it has none of its own (ISO 32000-1, table 30). */
export type Inherited = (key: 'MediaBox' | 'CropBox' | 'Rotate' | 'Resources') => PDFObject | undefined;

/** Reads CropBox ∩ MediaBox and /Rotate as viewers do. UserUnit scales the page and its coordinates alike: it plays no part. */
export function pageGeometry(inherited: Inherited): PageGeometry {
  const media = box(inherited('MediaBox')) ?? LETTER;
  const crop = box(inherited('CropBox'));
  const visible = (crop && intersection(crop, media)) ?? media;
  const rotation = rotationOf(inherited('Rotate'));
  const [width, height] = [visible.right - visible.left, visible.top - visible.bottom];
  return rotation % 180 === 0
    ? { visible, rotation, width, height }
    : { visible, rotation, width: height, height: width };
}

/** A point as the viewer sees it (from the lower-left corner of the shown page) in the page's own coordinates. */
export function toPage({ visible, rotation }: PageGeometry, x: number, y: number): { x: number; y: number } {
  const { left, bottom, right, top } = visible;
  switch (rotation) {
    case 0:
      return { x: left + x, y: bottom + y };
    case 90:
      return { x: right - y, y: bottom + x };
    case 180:
      return { x: right - x, y: top - y };
    case 270:
      return { x: left + y, y: top - x };
  }
}

/** Cosine and sine of the turn that makes text upright to the viewer: against the clock, by as much as the page turns. */
export const UPRIGHT: Record<Rotation, { cos: number; sin: number }> = {
  0: { cos: 1, sin: 0 },
  90: { cos: 0, sin: 1 },
  180: { cos: -1, sin: 0 },
  270: { cos: 0, sin: -1 },
};

function box(value: PDFObject | undefined): Box | undefined {
  if (!(value instanceof PDFArray) || value.size() < 4) return undefined;
  const corners = [0, 1, 2, 3].map((index) => {
    const number = value.lookup(index);
    return number instanceof PDFNumber ? number.asNumber() : Number.NaN;
  }) as [number, number, number, number];
  if (!corners.every(Number.isFinite)) return undefined;
  const [x1, y1, x2, y2] = corners;
  const read = { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
  return read.right > read.left && read.top > read.bottom ? read : undefined;
}

function intersection(a: Box, b: Box): Box | undefined {
  const both = {
    left: Math.max(a.left, b.left),
    bottom: Math.max(a.bottom, b.bottom),
    right: Math.min(a.right, b.right),
    top: Math.min(a.top, b.top),
  };
  return both.right > both.left && both.top > both.bottom ? both : undefined;
}

function rotationOf(value: PDFObject | undefined): Rotation {
  const degrees = value instanceof PDFNumber ? value.asNumber() : 0;
  return degrees % 90 === 0 ? ((((degrees % 360) + 360) % 360) as Rotation) : 0;
}

/** Looks an attribute up in a page and then in its ancestors, nearest first. */
export function inheritedFrom(chain: () => readonly PDFDict[]): Inherited {
  return (key) => {
    for (const node of chain()) {
      const value = node.lookup(PDFName.of(key));
      if (value !== undefined && value !== PDFNull) return value;
    }
    return undefined;
  };
}
