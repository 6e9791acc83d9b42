import { createHash } from 'node:crypto';
import { distanceBetween } from '../calibration.ts';
import { Deadline } from '@constancia/kernel';
import type { FaceOptions } from '../face-engine.ts';
import { LOCAL_ENGINE, LOCAL_MODEL_VERSION, failureOf } from '../local-engine.ts';
import type { Eyes, Look } from '../look.ts';
import type { FaceOutcome } from '../outcomes.ts';
import { judgeChallenge } from './judge-challenge.ts';
import type { FrameFacts } from './judge-challenge.ts';
import type { LivenessChallenge, LivenessEngine, LivenessEvidence, LivenessFrame, LivenessMode, LivenessSignal, LivenessVerdict, PassiveEvidence } from './liveness-engine.ts'; // prettier-ignore
import { newChallenge } from './new-challenge.ts';
import { PassiveCheck, type PassiveFinding } from './passive-check.ts';
import { isSamePicture } from './same-picture.ts';
import { SCREEN_SUSPECTED, screenPattern } from './screen-pattern.ts';

/** More frames than this are not looked at. */
const MOST_FRAMES = 10;

type Finding = Omit<LivenessVerdict, 'mode' | 'engine' | 'modelVersion' | 'tookMs' | 'score'>;
/** What the mode's own check says. */
type OwnFinding = Omit<Finding, 'passive' | 'portraitCopy'>;

/** Liveness by this machine. There is no evidence of ISO/IEC 30107-3 for it, and it keeps nothing between calls. */
export class LocalLiveness implements LivenessEngine {
  readonly engine = LOCAL_ENGINE;
  readonly modelVersion = LOCAL_MODEL_VERSION;
  readonly #eyes: Eyes;
  readonly #passive: PassiveCheck;

  constructor(eyes: Eyes) {
    this.#eyes = eyes;
    this.#passive = new PassiveCheck(eyes);
  }

  begin(mode: LivenessMode, now: number = Date.now()): Promise<LivenessChallenge> {
    return Promise.resolve(newChallenge(mode, now));
  }

  async assess(evidence: LivenessEvidence, { deadlineMs }: FaceOptions): Promise<LivenessVerdict> {
    const started = performance.now();
    const { mode } = evidence.challenge;
    const finding = await this.#finding(evidence, new Deadline(deadlineMs));
    const tookMs = Math.round(performance.now() - started);
    return { ...finding, score: null, mode, engine: this.engine, modelVersion: this.modelVersion, tookMs };
  }

  async #finding(evidence: LivenessEvidence, deadline: Deadline): Promise<Finding> {
    const nothing = { passed: null, checks: {}, signals: [], passive: null, portraitCopy: null };
    try {
      const selfie = await this.#eyes.look(evidence.selfie, 'selfie', deadline);
      if (!selfie.face || selfie.reasons.length > 0) return { ...nothing, outcome: 'retry', reasons: selfie.reasons };
      const { mode } = evidence.challenge;
      const own = await (mode === 'active' ? this.#active(evidence, selfie, deadline) : basic(evidence.selfie, selfie));
      const passive = await this.#passive.find(selfie, evidence.portrait, asked(mode, evidence.passive), deadline);
      return withPassive(own, passive);
    } catch (error) {
      return { ...nothing, outcome: 'error', reasons: [failureOf(error)] };
    }
  }

  async #active({ challenge, frames }: LivenessEvidence, selfie: Look, deadline: Deadline): Promise<OwnFinding> {
    const looked = frames.slice(0, MOST_FRAMES);
    const looks: Look[] = [];
    for (const { picture } of looked) looks.push(await this.#eyes.look(picture, 'selfie', deadline));
    const distances = this.#distances(selfie, looks, deadline);
    const facts = looks.map((look, nth): FrameFacts => ({
      receivedAt: (looked[nth] as LivenessFrame).receivedAt,
      reasons: look.reasons,
      yawDegrees: look.face?.quality.yawDegrees ?? null,
      distance: distances[nth] ?? null,
      repeats: repeats(nth, looked, looks),
    }));
    const signals = facts.flatMap(({ yawDegrees, distance }, nth): LivenessSignal[] => [
      ...(yawDegrees === null ? [] : [{ name: `frame_${nth + 1}_yaw_degrees`, value: yawDegrees }]),
      ...(distance === null ? [] : [{ name: `frame_${nth + 1}_distance`, value: distance }]),
    ]);
    return { ...judgeChallenge(challenge, facts), signals };
  }

  #distances(selfie: Look, looks: Look[], deadline: Deadline): (number | null)[] {
    const chips = [selfie, ...looks].map(({ chip }) => chip);
    const descriptors = this.#eyes.describe(chips.filter((chip) => chip !== null), deadline); // prettier-ignore
    const [first, ...others] = chips.map((chip) => (chip === null ? null : (descriptors.shift() ?? null)));
    return others.map((other) => (first && other ? distanceBetween(first, other) : null));
  }
}

async function basic(picture: Uint8Array, { face }: Look): Promise<OwnFinding> {
  const pattern = face ? await screenPattern(picture, face.box) : 0;
  const found = { passed: null, checks: {}, signals: [{ name: 'screen_pattern', value: pattern }] };
  if (pattern >= SCREEN_SUSPECTED) return { ...found, outcome: 'review', reasons: ['spoof_suspected'] };
  return { ...found, outcome: 'pass', reasons: [] };
}

/** A challenge that was met is evidence of a live person by itself: no frames are required with it. */
const asked = (mode: LivenessMode, passive: PassiveEvidence): PassiveEvidence =>
  mode === 'active' && passive.policy === 'require' ? { ...passive, policy: 'signal' } : passive;

/** What was not seen well enough is tried again before anybody is judged by it; a reject weighs more than a review. */
const WEIGHT: readonly FaceOutcome[] = ['error', 'retry', 'reject', 'review', 'pass'];

function withPassive(own: OwnFinding, { passive, portraitCopy, outcome, reasons }: PassiveFinding): Finding {
  const parts = [own, { outcome, reasons }];
  const weightiest = WEIGHT.find((weight) => parts.some((part) => part.outcome === weight)) ?? 'error';
  const all = parts.filter((part) => part.outcome === weightiest).flatMap((part) => part.reasons);
  return { ...own, outcome: weightiest, reasons: [...new Set(all)], passive, portraitCopy };
}

/** Whether a frame is one of those before it: the same bytes, or the same picture. */
function repeats(nth: number, frames: LivenessFrame[], looks: Look[]): boolean {
  const hash = (at: number) =>
    createHash('sha256')
      .update((frames[at] as LivenessFrame).picture)
      .digest('hex');
  const seen = looks[nth]?.thumbnail ?? null;
  return looks.slice(0, nth).some((before, at) => {
    if (hash(at) === hash(nth)) return true;
    return seen !== null && before.thumbnail !== null && isSamePicture(seen, before.thumbnail);
  });
}
