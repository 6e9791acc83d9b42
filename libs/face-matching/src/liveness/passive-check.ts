import type { Deadline } from '@constancia/kernel';
import { distanceBetween } from '../calibration.ts';
import type { Eyes, Look } from '../look.ts';
import type { FaceReason } from '../outcomes.ts';
import { analyseFrames, MOST_PASSIVE_FRAMES } from '../passive/analyse-frames.ts';
import { type DecodedFrame, decodeFrame } from '../passive/decode-frame.ts';
import type { FrameFindings } from '../passive/judge-frames.ts';
import { portraitCorrelation } from '../passive/portrait-copy.ts';
import { COPY_THRESHOLDS } from '../passive/thresholds.ts';
import { type PassiveVerdict, verdictOf } from '../passive/verdict.ts';
import { SAME_PERSON } from './judge-challenge.ts';
import type { PassiveEvidence } from './liveness-engine.ts';

/** What frames and portrait say about a selfie. */
export interface PassiveFinding {
  passive: PassiveVerdict | null;
  portraitCopy: number | null;
  outcome: 'pass' | 'review' | 'reject';
  reasons: FaceReason[];
}

/** Looks at the frames around a selfie and compares it with the document's portrait, pixel by pixel. Throws DeadlinePassed. */
export class PassiveCheck {
  constructor(private readonly eyes: Eyes) {}

  async find(
    selfie: Look,
    portrait: Uint8Array | null,
    evidence: PassiveEvidence,
    deadline: Deadline,
  ): Promise<PassiveFinding> {
    // prettier-ignore
    const portraitCopy = portrait && (await this.portraitCopy(selfie, portrait, deadline));
    if (portraitCopy !== null && portraitCopy >= COPY_THRESHOLDS.copy) {
      return { passive: null, portraitCopy, outcome: 'reject', reasons: ['portrait_copy'] };
    }
    const passive = await this.passive(selfie, evidence, deadline);
    const reasons = reviewReasons(passive, portraitCopy, evidence);
    return { passive, portraitCopy, outcome: reasons.length > 0 ? 'review' : 'pass', reasons };
  }

  private async portraitCopy(selfie: Look, portrait: Uint8Array, deadline: Deadline): Promise<number | null> {
    const { chip } = await this.eyes.look(portrait, 'document', deadline);
    return chip && selfie.chip ? portraitCorrelation(chip, selfie.chip) : null;
  }

  private async passive(
    selfie: Look,
    { policy, frames }: PassiveEvidence,
    deadline: Deadline,
  ): Promise<PassiveVerdict | null> {
    // prettier-ignore
    const [first] = frames;
    if (policy === 'off' || !first) return null;
    const look = await this.eyes.look(first, 'selfie', deadline);
    deadline.check();
    const decoded: (DecodedFrame | null)[] = [];
    for (const frame of frames.slice(0, MOST_PASSIVE_FRAMES)) decoded.push(await decodeFrame(frame));
    const read = decoded.filter((frame) => frame !== null);
    const scale = decoded[0]?.scale;
    if (!look.face || scale === undefined) return verdictOf({ ...NOTHING, frames: read.length, samePerson: null });
    const { x, y, width, height } = look.face.box;
    const face = { left: x * scale, top: y * scale, right: (x + width) * scale, bottom: (y + height) * scale };
    deadline.check();
    const images = read.map(({ image }) => image);
    return verdictOf({ ...analyseFrames(images, face), samePerson: this.samePerson(selfie, look, deadline) });
  }

  private samePerson({ chip }: Look, frame: Look, deadline: Deadline): boolean | null {
    if (!chip || !frame.chip) return null;
    const [one, other] = this.eyes.describe([chip, frame.chip], deadline) as [Float32Array, Float32Array];
    return distanceBetween(one, other) <= SAME_PERSON.perhaps;
  }
}

const NOTHING: Omit<FrameFindings, 'samePerson'> = {
  frames: 0,
  leastDifference: Infinity,
  regularity: [],
  borderSides: [],
  motions: [],
};

function reviewReasons(passive: PassiveVerdict | null, copy: number | null, { policy }: PassiveEvidence): FaceReason[] {
  const suspected = passive?.decision === 'suspected' || (copy !== null && copy >= COPY_THRESHOLDS.doubtful);
  if (suspected) return ['spoof_suspected'];
  return policy === 'require' && passive?.decision !== 'live' ? ['liveness_undetermined'] : [];
}
