import { type GreyFrame, halved } from './grey-frame.ts';
import { type Area, glareShare, lightOf, wholeOf } from './light.ts';
import { differenceOf, shiftOf, thumbnailOf } from './motion.ts';
import { outlineOf, type Quad, sizeOf } from './outline.ts';
import { sharpnessOf } from './sharpness.ts';
import { Steadiness } from './steadiness.ts';

/** What the person should do about the document, the weightiest first; `hold` when nothing is wrong, `take` when it has been held. */
export type DocumentAdvice =
  'dark' | 'search' | 'far' | 'near' | 'tilted' | 'moving' | 'glare' | 'blurred' | 'hold' | 'take';

export interface DocumentView {
  advice: DocumentAdvice;
  /** Corners in shares of the frame; null when no card was found. */
  outline: Quad | null;
  /** 0 to 1: how much of the holding still is done. */
  steady: number;
}

/**
 * Set on rendered photographs (document-guide.full.spec.ts) well inside what the reader on the server can read: a picture that nothing is said
 * against is read, and the person may always press the shutter.
 */
const LIMITS = {
  darkFrame: 38,
  darkCard: 62,
  farFill: 0.58,
  marginShare: 0.012,
  skewDegrees: 16,
  leanRatio: 1.3,
  shift: 0.025,
  difference: 9,
  glareShare: 0.01,
  /** Sharpness in fine pixels for that in coarse ones: a blur takes the fine ones first. */
  fineShare: 0.165,
  sharpness: 60,
};
const CARD_RATIO = 1.586;

/** Looks at frames of about 640 by 480 pixels, one after the other, and says what to do. */
export class DocumentGuide {
  private readonly steadiness = new Steadiness();
  private lastQuad: Quad | null = null;
  private lastThumbnail: GreyFrame | null = null;

  look(frame: GreyFrame, atMs: number): DocumentView {
    const small = halved(frame);
    const quad = outlineOf(small);
    const thumbnail = thumbnailOf(small);
    const wrong = this.whatIsWrong(frame, small, quad, thumbnail);
    this.lastQuad = quad;
    this.lastThumbnail = thumbnail;
    const outline = quad === null ? null : sharesOf(quad, small);
    if (wrong !== null) {
      this.steadiness.broken();
      return { advice: wrong, outline, steady: 0 };
    }
    const steady = this.steadiness.good(atMs);
    return { advice: steady === 1 ? 'take' : 'hold', outline, steady };
  }

  private whatIsWrong(
    frame: GreyFrame,
    small: GreyFrame,
    quad: Quad | null,
    thumbnail: GreyFrame,
  ): DocumentAdvice | null {
    if (quad === null) return lightOf(small, wholeOf(small)).mean < LIMITS.darkFrame ? 'dark' : 'search';
    const area = middleOf(quad);
    if (lightOf(small, area).mean < LIMITS.darkCard) return 'dark';
    return (
      placementFault(quad, small) ?? this.movement(quad, small, thumbnail) ?? pictureFault(frame, small, quad, area)
    );
  }

  private movement(quad: Quad, small: GreyFrame, thumbnail: GreyFrame): DocumentAdvice | null {
    if (this.lastQuad === null || this.lastThumbnail === null) return 'moving';
    const shifted = shiftOf(quad, this.lastQuad, small.width) > LIMITS.shift;
    return shifted || differenceOf(thumbnail, this.lastThumbnail) > LIMITS.difference ? 'moving' : null;
  }
}

function placementFault(quad: Quad, { width, height }: GreyFrame): DocumentAdvice | null {
  const size = sizeOf(quad);
  if (size.width < LIMITS.farFill * Math.min(width, height * CARD_RATIO)) return 'far';
  const margin = LIMITS.marginShare * width;
  if (quad.some(({ x, y }) => x < margin || y < margin || x > width - margin || y > height - margin)) return 'near';
  const [tl, tr, br, bl] = quad;
  const skew = (Math.atan2(tr.y - tl.y + br.y - bl.y, tr.x - tl.x + br.x - bl.x) * 180) / Math.PI;
  const lean = [
    Math.hypot(tr.x - tl.x, tr.y - tl.y) / Math.hypot(br.x - bl.x, br.y - bl.y),
    Math.hypot(bl.x - tl.x, bl.y - tl.y) / Math.hypot(br.x - tr.x, br.y - tr.y),
  ].map((ratio) => Math.max(ratio, 1 / ratio));
  return Math.abs(skew) > LIMITS.skewDegrees || Math.max(...lean) > LIMITS.leanRatio ? 'tilted' : null;
}

function pictureFault(frame: GreyFrame, small: GreyFrame, quad: Quad, area: Area): DocumentAdvice | null {
  if (glareShare(small, quad) > LIMITS.glareShare) return 'glare';
  const { left, top, right, bottom } = area;
  const fine = sharpnessOf(frame, { left: 2 * left, top: 2 * top, right: 2 * right, bottom: 2 * bottom });
  const coarse = sharpnessOf(small, area);
  return fine < LIMITS.sharpness || fine < LIMITS.fineShare * coarse ? 'blurred' : null;
}

/** The middle of a card: no edge of it is inside, even when it lies askew. */
function middleOf(quad: Quad): Area {
  const size = sizeOf(quad);
  const centre = (axis: 'x' | 'y'): number => quad.reduce((sum, corner) => sum + corner[axis] / 4, 0);
  const [x, y] = [centre('x'), centre('y')];
  return {
    left: Math.round(x - 0.35 * size.width),
    top: Math.round(y - 0.33 * size.height),
    right: Math.round(x + 0.35 * size.width),
    bottom: Math.round(y + 0.33 * size.height),
  };
}

const sharesOf = (quad: Quad, { width, height }: GreyFrame): Quad =>
  quad.map(({ x, y }) => ({ x: x / width, y: y / height })) as unknown as Quad;
