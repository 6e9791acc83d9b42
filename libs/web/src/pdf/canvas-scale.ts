import type { PageSize } from './load-viewer.ts';

/** Telephones refuse canvases of more than 16 million pixels, and each costs four bytes a pixel. */
const MOST_PIXELS = 12_000_000;
const SHARPEST = 3;

/** The scale at which a page is drawn so that it is sharp at `cssWidth` on this screen, and no larger than a canvas may be. */
export function canvasScale(page: PageSize, cssWidth: number, devicePixelRatio: number): number {
  const wanted = (cssWidth / page.width) * Math.min(devicePixelRatio, SHARPEST);
  return Math.min(wanted, Math.sqrt(MOST_PIXELS / (page.width * page.height)));
}
