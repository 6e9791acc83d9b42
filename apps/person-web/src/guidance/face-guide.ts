import { type GreyFrame, halved } from './grey-frame.ts';
import { type Area, lightOf } from './light.ts';
import { differenceOf, thumbnailOf } from './motion.ts';
import { sharpnessOf } from './sharpness.ts';
import { Steadiness } from './steadiness.ts';

/** What the person should do about the selfie. Whether there is one face, and whose, only the server says. */
export type FaceAdvice = 'dark' | 'empty' | 'moving' | 'blurred' | 'hold' | 'take';

export interface FaceView {
  advice: FaceAdvice;
  /** 0 to 1: how much of the holding still is done. */
  steady: number;
}

/** The oval on the page, in shares of the frame. */
export const OVAL = { left: 0.19, top: 0.13, right: 0.81, bottom: 0.81 };
/** Set on photographs of faces with light and sharpness taken away (face-guide.full.spec.ts). */
const LIMITS = { dark: 42, spread: 11, difference: 5, sharpness: 12 };

/** Looks at frames of about 480 by 640 pixels, one after the other, and says what to do. */
export class FaceGuide {
  private readonly steadiness = new Steadiness();
  private last: GreyFrame | null = null;

  look(frame: GreyFrame, atMs: number): FaceView {
    const small = halved(frame);
    const thumbnail = thumbnailOf(small);
    const wrong = faultOf(small) ?? this.movement(thumbnail);
    this.last = thumbnail;
    if (wrong !== null) {
      this.steadiness.broken();
      return { advice: wrong, steady: 0 };
    }
    const steady = this.steadiness.good(atMs);
    return { advice: steady === 1 ? 'take' : 'hold', steady };
  }

  private movement(thumbnail: GreyFrame): FaceAdvice | null {
    return this.last === null || differenceOf(thumbnail, this.last) > LIMITS.difference ? 'moving' : null;
  }
}

function faultOf(small: GreyFrame): FaceAdvice | null {
  const area = ovalOf(small);
  const { mean, spread } = lightOf(small, area);
  if (mean < LIMITS.dark) return 'dark';
  if (spread < LIMITS.spread) return 'empty';
  return sharpnessOf(small, area) < LIMITS.sharpness ? 'blurred' : null;
}

const ovalOf = ({ width, height }: GreyFrame): Area => ({
  left: Math.round(OVAL.left * width),
  top: Math.round(OVAL.top * height),
  right: Math.round(OVAL.right * width),
  bottom: Math.round(OVAL.bottom * height),
});
