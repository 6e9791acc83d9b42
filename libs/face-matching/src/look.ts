import { Deadline } from '@constancia/kernel';
import type { FoundFace, PictureRole } from './face-engine.ts';
import { FaceFinder } from './find-faces.ts';
import type { Face } from './find-faces.ts';
import { findPortrait, type FoundPortrait, turnedBack } from './find-portrait.ts';
import { NotAPicture, decodePicture } from './image/decode-picture.ts';
import { cutSquare, mirrored, type Pyramid, thumbnail } from './image/rgb-image.ts';
import { THUMBNAIL_SIDE_PX } from './liveness/same-picture.ts';
import { CHIP_SIDE_PX, DescriptorNet } from './nets/descriptor-net.ts';
import { DetectorNet } from './nets/detector-net.ts';
import { LandmarkNet } from './nets/landmark-net.ts';
import { NetMemory } from './nets/net-memory.ts';
import type { PictureReason } from './outcomes.ts';
import { isDark, qualityOf, refusalsOf } from './quality.ts';

/** What one picture holds. `chip` (CHIP_SIDE_PX square, RGB, aligned) and what comes of it never leave the process. */
export interface Look {
  face: FoundFace | null;
  chip: Uint8Array | null;
  /** The whole picture, THUMBNAIL_SIDE_PX square, RGB. */
  thumbnail: Uint8Array | null;
  count: number;
  /** What the picture is refused for; of a document only that there is no face, or no picture. */
  reasons: PictureReason[];
}

const NOTHING = { face: null, chip: null, thumbnail: null, count: 0 };

/** The nets, loaded, and what is done with them to one picture. */
export class Eyes {
  readonly #finder: FaceFinder;
  readonly #descriptor: DescriptorNet;
  /** A job looks at one picture from several sides. Gone as soon as its bytes are. */
  readonly #looks = new WeakMap<Uint8Array, Map<PictureRole, Look>>();

  private constructor(finder: FaceFinder, descriptor: DescriptorNet) {
    this.#finder = finder;
    this.#descriptor = descriptor;
  }

  static async open(modelPath: string): Promise<Eyes> {
    const memory = await NetMemory.create();
    const [detector, landmarks, descriptor] = await Promise.all([
      DetectorNet.read(memory, modelPath),
      LandmarkNet.read(memory, modelPath),
      DescriptorNet.read(memory, modelPath),
    ]);
    return new Eyes(new FaceFinder(detector, landmarks), descriptor);
  }

  /** Throws DeadlinePassed. */
  async look(bytes: Uint8Array, role: PictureRole, deadline: Deadline): Promise<Look> {
    deadline.check();
    const known = this.#looks.get(bytes) ?? new Map<PictureRole, Look>();
    const look = known.get(role) ?? (await this.#look(bytes, role, deadline));
    this.#looks.set(bytes, known.set(role, look));
    return look;
  }

  async #look(bytes: Uint8Array, role: PictureRole, deadline: Deadline): Promise<Look> {
    try {
      const { pyramid, scale } = await decodePicture(bytes, deadline.leftMs());
      deadline.check();
      const { face, count, upright, turned } = this.#find(pyramid, role, deadline);
      if (!face) return { ...NOTHING, reasons: isDark(pyramid) ? ['too_dark', 'no_face'] : ['no_face'] };
      const chip = cutSquare(upright, face.alignment.toPicture, CHIP_SIDE_PX);
      const found = describedFace(turned ? { ...face, box: turnedBack(face.box, pyramid) } : face, chip, scale);
      const whole = thumbnail(pyramid, THUMBNAIL_SIDE_PX);
      const refusals: PictureReason[] = [...(count > 1 ? ['two_faces' as const] : []), ...refusalsOf(found.quality)];
      return { face: found, chip, thumbnail: whole, count, reasons: role === 'selfie' ? refusals : [] };
    } catch (error) {
      if (error instanceof NotAPicture) return { ...NOTHING, reasons: [error.reason] };
      throw error;
    }
  }

  /** Cameras of selfies say which way up they are held; a document is photographed as it lies. */
  #find(picture: Pyramid, role: PictureRole, deadline: Deadline): FoundPortrait {
    const mayGoOn = () => deadline.leftMs() > 0;
    if (role === 'document') return findPortrait(this.#finder, picture, mayGoOn);
    return { ...this.#finder.find(picture, mayGoOn), upright: picture, turned: false };
  }

  /** One descriptor for each chip: the mean of what the net says of it and of its mirror image. */
  describe(chips: Uint8Array[], deadline: Deadline): Float32Array[] {
    return chips.map((chip) => {
      deadline.check();
      const [seen, inMirror] = this.#descriptor.describe([chip, mirrored(chip, CHIP_SIDE_PX)]);
      return (seen as Float32Array).map((value, at) => (value + ((inMirror as Float32Array)[at] as number)) / 2);
    });
  }
}

function describedFace({ box, confidence, landmarks }: Face, chip: Uint8Array, scale: number): FoundFace {
  const px = (value: number) => Math.round(value * scale);
  return {
    box: { x: px(box.left), y: px(box.top), width: px(box.right - box.left), height: px(box.bottom - box.top) },
    confidence: Math.round(confidence * 1000) / 1000,
    quality: qualityOf(chip, landmarks, scale),
  };
}
