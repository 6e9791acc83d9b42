import { LOCAL_THRESHOLDS, distanceBetween, scoreOf } from './calibration.ts';
import { Deadline } from '@constancia/kernel';
import { judgeComparison } from './judge-comparison.ts';
import type { Look } from './look.ts';
import { openEyes } from './open-engines.fixture.ts';
import { photo } from './shared-faces.fixture.ts';
import type { LabelledPair } from './shared-faces.fixture.ts';

const PLENTY_MS = 60_000;

/** Labelled pairs, each photo looked at once; judged as FaceEngine.compare judges (which would look at a photo once per pair). */
export class MeasuredPairs {
  readonly #looks: Map<string, Look>;
  readonly #descriptors: Map<string, Float32Array>;

  private constructor(
    readonly pairs: LabelledPair[],
    looks: Map<string, Look>,
    descriptors: Map<string, Float32Array>,
  ) {
    this.#looks = looks;
    this.#descriptors = descriptors;
  }

  static async measure(pairs: LabelledPair[]): Promise<MeasuredPairs> {
    const eyes = await openEyes();
    const looks = new Map<string, Look>();
    const descriptors = new Map<string, Float32Array>();
    for (const file of new Set(pairs.flatMap(({ one, other }) => [one, other]))) {
      const look = await eyes.look(photo(file), 'selfie', new Deadline(PLENTY_MS));
      looks.set(file, look);
      const [descriptor] = look.chip ? eyes.describe([look.chip], new Deadline(PLENTY_MS)) : [];
      if (descriptor) descriptors.set(file, descriptor);
    }
    return new MeasuredPairs(pairs, looks, descriptors);
  }

  /** How many of the pairs of one person (or of two) had each outcome, at the shipped thresholds. */
  outcomes(same: boolean, pairs = this.pairs): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const pair of pairs.filter((each) => each.same === same)) {
      const outcome = this.#outcome(pair);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  }

  distance(one: string, other: string): number {
    const [a, b] = [this.#descriptors.get(one), this.#descriptors.get(other)];
    return a && b ? distanceBetween(a, b) : Infinity;
  }

  distances(same: boolean, pairs = this.pairs): number[] {
    return pairs.filter((pair) => pair.same === same).map(({ one, other }) => this.distance(one, other));
  }

  #outcome({ one, other }: LabelledPair): string {
    const [reference, probe] = [this.#looks.get(one), this.#looks.get(other)];
    const evidence = {
      portraitFound: Boolean(reference?.face),
      selfieReasons: probe?.reasons ?? [],
      score: reference?.face && probe?.face ? scoreOf(this.distance(one, other)) : null,
    };
    return judgeComparison(evidence, LOCAL_THRESHOLDS).outcome;
  }
}
