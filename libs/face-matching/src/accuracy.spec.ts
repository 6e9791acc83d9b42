import { beforeAll, describe, expect, it } from 'vitest';
import { LOCAL_THRESHOLDS, distanceOf } from './calibration.ts';
import type { FaceComparison } from './face-engine.ts';
import type { LocalFaceEngines } from './load-engine.ts';
import { NO_FRAMES } from './liveness/liveness-engine.ts';
import { MeasuredPairs } from './measured-pairs.fixture.ts';
import { openEngines } from './open-engines.fixture.ts';
import { allPairs, hasFaces, labelledPairs, photo } from './shared-faces.fixture.ts';

if (!hasFaces) console.log('skipped: ../shared/faces is not here');

const OPTIONS = { deadlineMs: 30_000 };

describe.skipIf(!hasFaces)('the labelled photos', () => {
  let engines: LocalFaceEngines;
  let pairs: MeasuredPairs;
  beforeAll(async () => {
    engines = await openEngines();
    pairs = await MeasuredPairs.measure(allPairs());
  }, 180_000);

  it('are labelled as their persons say', () => {
    const known = new Map(allPairs().map(({ one, other, same }) => [[one, other].sort().join(), same]));
    for (const { one, other, same } of labelledPairs()) expect(known.get([one, other].sort().join())).toBe(same);
  });

  it('are 38 pairs of one person: 36 accepted, 2 for a person to look at', () => {
    expect(pairs.outcomes(true, labelledPairs())).toEqual({ pass: 36, review: 2 });
  });

  it('are 262 pairs of two persons, none accepted', () => {
    expect(pairs.outcomes(false, labelledPairs())['pass']).toBeUndefined();
    expect(pairs.outcomes(false, labelledPairs())['reject']).toBeGreaterThanOrEqual(240);
  });

  it('of two persons are never accepted, whichever of all 1,743 pairs is compared', () => {
    expect(pairs.distances(false)).toHaveLength(1_743);
    expect(pairs.outcomes(false)['pass']).toBeUndefined();
    const nearest = Math.min(...pairs.distances(false));
    expect(nearest).toBeGreaterThan(distanceOf(LOCAL_THRESHOLDS.accept) + 0.025);
  });

  it('of one person are never rejected, and most of all 148 pairs are accepted', () => {
    const { pass = 0, reject } = pairs.outcomes(true);
    expect(pairs.distances(true)).toHaveLength(148);
    expect(reject).toBeUndefined();
    expect(pass).toBeGreaterThanOrEqual(130);
  });

  it('compare through the port as they were measured', { timeout: 60_000 }, async () => {
    const { faces } = engines;
    const same = await faces.compare(photo('img1.jpg'), photo('img2.jpg'), OPTIONS);
    expect(same).toMatchObject<Partial<FaceComparison>>({ outcome: 'pass', reasons: [], engine: 'constancia-faces' });
    expect(same.rawMetric).toBeCloseTo(pairs.distance('img1.jpg', 'img2.jpg'), 3);
    const others = await faces.compare(photo('img1.jpg'), photo('img20.jpg'), OPTIONS);
    expect(others).toMatchObject({ outcome: 'reject', reasons: ['other_person'] });
    expect(others.score).toBeLessThan(0.02);
    const strict = await faces.compare(photo('img1.jpg'), photo('img2.jpg'), { ...OPTIONS, thresholds: { accept: 1, review: 0.5 } }); // prettier-ignore
    expect(strict).toMatchObject({ outcome: 'review', reasons: ['doubtful_likeness'] });
    const lax = await faces.compare(photo('img30.jpg'), photo('img35.jpg'), { ...OPTIONS, thresholds: { accept: 0.5, review: 0.1 } }); // prettier-ignore
    expect(lax).toMatchObject({ outcome: 'review', thresholds: { accept: LOCAL_THRESHOLDS.accept, review: 0.1 } });
  });

  it.each(['couple.jpg', 'selfie-many-people.jpg'])(
    '%s is no selfie of one person',
    { timeout: 30_000 },
    async (file) => {
      const seen = await engines.faces.detect(photo(file), 'selfie', OPTIONS);
      expect(seen).toMatchObject({ outcome: 'retry', reasons: ['two_faces'] });
      expect(seen.faces).toBeGreaterThan(1);
    },
  );

  it('meet a challenge of a turn to the right, and fail one to the left', { timeout: 60_000 }, async () => {
    const frames = ['img14.jpg', 'img13.jpg', 'img15.jpg'].map((file, nth) => ({
      picture: photo(file),
      receivedAt: 1_000 + 1_500 * nth,
    }));
    const asked = (turn: 'left' | 'right') => ({
      mode: 'active' as const,
      poses: ['center' as const, turn, 'center' as const],
      issuedAt: 0,
      expiresAt: 60_000,
    });
    const [selfie, more] = [photo('img14.jpg'), { portrait: null, passive: NO_FRAMES }];
    const right = await engines.liveness.assess({ challenge: asked('right'), selfie, frames, ...more }, OPTIONS);
    expect(right).toMatchObject({ outcome: 'pass', passed: true });
    const left = await engines.liveness.assess({ challenge: asked('left'), selfie, frames, ...more }, OPTIONS);
    expect(left).toMatchObject({ outcome: 'reject', reasons: ['wrong_direction'], passed: false });
    const stranger = await engines.liveness.assess({ challenge: asked('right'), selfie: photo('img1.jpg'), frames, ...more }, OPTIONS); // prettier-ignore
    expect(stranger).toMatchObject({ outcome: 'reject', reasons: ['person_changed'], passed: false });
  });

  it('say nothing against anybody in mode basic', { timeout: 30_000 }, async () => {
    const challenge = await engines.liveness.begin('basic');
    const evidence = {
      challenge,
      selfie: photo('img1.jpg'),
      frames: [],
      portrait: photo('img2.jpg'),
      passive: NO_FRAMES,
    };
    const seen = await engines.liveness.assess(evidence, OPTIONS);
    expect(seen).toMatchObject({ outcome: 'pass', passed: null, score: null, passive: null });
  });
});
