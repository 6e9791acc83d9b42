import { LOCAL_THRESHOLDS, distanceBetween, scoreOf, thresholdsFor } from './calibration.ts';
import { Deadline, DeadlinePassed } from '@constancia/kernel';
import type { ComparisonOptions, FaceComparison, FaceDetection, FaceEngine, FaceOptions, PictureRole } from './face-engine.ts'; // prettier-ignore
import { judgeComparison } from './judge-comparison.ts';
import type { Eyes, Look } from './look.ts';

export const LOCAL_ENGINE = 'constancia-faces';
/** Changes with everything that could change a score: nets, alignment, calibration. */
export const LOCAL_MODEL_VERSION = 'ssd-dlib-3';

/** Compares faces on this machine: nothing leaves it, and nothing is kept. One call at a time uses one core. */
export class LocalFaceEngine implements FaceEngine {
  readonly engine = LOCAL_ENGINE;
  readonly modelVersion = LOCAL_MODEL_VERSION;
  readonly thresholds = LOCAL_THRESHOLDS;
  readonly #eyes: Eyes;

  constructor(eyes: Eyes) {
    this.#eyes = eyes;
  }

  async detect(picture: Uint8Array, role: PictureRole, options: FaceOptions): Promise<FaceDetection> {
    const started = performance.now();
    const signed = () => ({ ...this.#signature(), tookMs: Math.round(performance.now() - started) });
    try {
      const { face, count, reasons } = await this.#eyes.look(picture, role, new Deadline(options.deadlineMs));
      return { outcome: reasons.length > 0 ? 'retry' : 'pass', reasons, face, faces: count, ...signed() };
    } catch (error) {
      return { outcome: 'error', reasons: [failureOf(error)], face: null, faces: 0, ...signed() };
    }
  }

  async compare(reference: Uint8Array, probe: Uint8Array, options: ComparisonOptions): Promise<FaceComparison> {
    const started = performance.now();
    const thresholds = thresholdsFor(options.thresholds);
    const signed = () => ({ thresholds, ...this.#signature(), tookMs: Math.round(performance.now() - started) });
    const deadline = new Deadline(options.deadlineMs);
    try {
      // Together: the decoder has threads of its own, the nets have one.
      const [selfie, portrait] = await Promise.all([
        this.#eyes.look(probe, 'selfie', deadline),
        this.#eyes.look(reference, 'document', deadline),
      ]);
      const distance = selfie.reasons.length === 0 ? this.#distance(portrait, selfie, deadline) : null;
      const score = distance === null ? null : scoreOf(distance);
      const evidence = { portraitFound: portrait.face !== null, selfieReasons: selfie.reasons, score };
      return {
        ...judgeComparison(evidence, thresholds),
        score: score === null ? null : rounded(score, 6),
        rawMetric: distance === null ? null : rounded(distance, 4),
        reference: portrait.face,
        probe: selfie.face,
        ...signed(),
      };
    } catch (error) {
      const nothing = { score: null, rawMetric: null, reference: null, probe: null };
      return { outcome: 'error', reasons: [failureOf(error)], ...nothing, ...signed() };
    }
  }

  #distance(portrait: Look, selfie: Look, deadline: Deadline): number | null {
    if (!portrait.chip || !selfie.chip) return null;
    const [one, other] = this.#eyes.describe([portrait.chip, selfie.chip], deadline);
    return distanceBetween(one as Float32Array, other as Float32Array);
  }

  #signature() {
    return { engine: this.engine, modelVersion: this.modelVersion };
  }
}

/** The engine's failure as a reason. The error itself is not reported: it may quote what the picture holds. */
export const failureOf = (error: unknown) => (error instanceof DeadlinePassed ? 'deadline' : 'engine_failure');

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;
