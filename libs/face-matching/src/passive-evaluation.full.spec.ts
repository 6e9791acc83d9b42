import { beforeAll, describe, expect, it } from 'vitest';
import { NO_FRAMES } from './liveness/liveness-engine.ts';
import type { LocalFaceEngines } from './load-engine.ts';
import type { Eyes } from './look.ts';
import { openEngines, openEyes } from './open-engines.fixture.ts';
import { allPairs, hasFaces, photo } from './shared-faces.fixture.ts';
import { CAPTURES, type CaptureName, capture } from './passive/captures.fixture.ts';
import { chipOf, type JudgedCapture, judgedCaptures, subjectOf } from './passive/measured-captures.fixture.ts';
import { COPIES } from './passive/portrait-copies.fixture.ts';
import { portraitCorrelation } from './passive/portrait-copy.ts';
import { COPY_THRESHOLDS } from './passive/thresholds.ts';

if (!hasFaces) console.log('skipped: ../shared/faces is not here');

/** Two photos of each kind of capture, so that the run stays short; `npm run bench -- liveness` takes more. */
const FILES = ['img1.jpg', 'img20.jpg'];
const OPTIONS = { deadlineMs: 60_000 };

describe.skipIf(!hasFaces)('captures drawn from the photos of ../shared/faces', { timeout: 480_000 }, () => {
  let eyes: Eyes;
  let engines: LocalFaceEngines;
  let captures: JudgedCapture[];
  beforeAll(async () => {
    eyes = await openEyes();
    engines = await openEngines();
    captures = await judgedCaptures(eyes, FILES, Object.keys(CAPTURES) as CaptureName[]);
  }, 480_000);

  const decisions = (genuine: boolean) => captures.filter(({ name }) => CAPTURES[name].genuine === genuine);

  it('of a person are never suspected, and with some motion are live', () => {
    for (const { name, verdict } of decisions(true)) {
      expect(verdict, name).toMatchObject({ signs: [] });
      if (name !== 'genuine, hardly any motion') expect(verdict.decision, name).toBe('live');
    }
  });

  it('of a screen, a print or one picture again and again are never live, and nearly all are suspected', () => {
    const attacks = decisions(false);
    for (const { name, verdict } of attacks) expect(verdict.decision, name).not.toBe('live');
    const suspected = attacks.filter(({ verdict }) => verdict.decision === 'suspected');
    expect(suspected.length).toBeGreaterThanOrEqual(attacks.length - 2);
  });

  it('are judged through the port: frames of a person pass, of a screen go to review, of nobody are refused where required', async () => {
    const selfie = photo('img1.jpg');
    const challenge = await engines.liveness.begin('basic');
    const subject = await subjectOf(eyes, 'img2.jpg');
    const judge = async (name: CaptureName, policy: 'signal' | 'require' | 'off') => {
      const { frames } = await capture(subject, name, 5);
      return engines.liveness.assess({ challenge, selfie, frames: [], portrait: null, passive: { policy, frames } }, OPTIONS); // prettier-ignore
    };
    expect(await judge('genuine, phone in the hand', 'require')).toMatchObject({ outcome: 'pass', passive: { decision: 'live', frames: 5 } }); // prettier-ignore
    expect(await judge('photo on a screen, its border in view', 'signal')).toMatchObject({ outcome: 'review', reasons: ['spoof_suspected'] }); // prettier-ignore
    expect(await judge('photo on a screen, its border in view', 'off')).toMatchObject({ passive: null });
    const none = {
      challenge,
      selfie,
      frames: [],
      portrait: null,
      passive: { ...NO_FRAMES, policy: 'require' as const },
    };
    expect(await engines.liveness.assess(none, OPTIONS)).toMatchObject({ outcome: 'review', reasons: ['liveness_undetermined'] }); // prettier-ignore
  });

  it('whose frames show another person than the selfie are suspected', async () => {
    const { frames } = await capture(await subjectOf(eyes, 'img20.jpg'), 'genuine, phone in the hand', 5);
    const challenge = await engines.liveness.begin('basic');
    const seen = await engines.liveness.assess({ challenge, selfie: photo('img1.jpg'), frames: [], portrait: null, passive: { policy: 'signal', frames } }, OPTIONS); // prettier-ignore
    expect(seen).toMatchObject({ outcome: 'review', passive: { signs: ['other_person'] } });
  });

  it('do not come to an error when frames are no pictures, or cut off', async () => {
    const challenge = await engines.liveness.begin('basic');
    const cut = photo('img2.jpg').subarray(0, 2_000);
    for (const frames of [
      [Buffer.alloc(0), cut, cut],
      [photo('img2.jpg'), cut, Buffer.from('no picture')],
    ]) {
      const seen = await engines.liveness.assess({ challenge, selfie: photo('img1.jpg'), frames: [], portrait: cut, passive: { policy: 'signal', frames } }, OPTIONS); // prettier-ignore
      expect(seen).toMatchObject({ outcome: 'pass', passive: { decision: 'undetermined' }, portraitCopy: null });
    }
  });
});

describe.skipIf(!hasFaces)("a selfie that is the document's portrait", { timeout: 480_000 }, () => {
  let eyes: Eyes;
  beforeAll(async () => {
    eyes = await openEyes();
  }, 60_000);

  it.each(Object.entries(COPIES))('is found, %s', async (_, copy) => {
    for (const file of ['img2.jpg', 'img20.jpg', 'img37.jpg']) {
      const [portrait, selfie] = [await chipOf(eyes, photo(file)), await chipOf(eyes, await copy(photo(file), eyes))];
      expect(portraitCorrelation(portrait as Uint8Array, selfie as Uint8Array), file).toBeGreaterThanOrEqual(COPY_THRESHOLDS.copy); // prettier-ignore
    }
  });

  it('is rejected through the port, and another photo of the person is not', async () => {
    const { liveness } = await openEngines();
    const challenge = await liveness.begin('basic');
    const judge = async (selfie: Buffer) =>
      liveness.assess({ challenge, selfie, frames: [], portrait: photo('img1.jpg'), passive: NO_FRAMES }, OPTIONS);
    const copied = await (COPIES['brighter'] as (typeof COPIES)[string])(photo('img1.jpg'), eyes);
    expect(await judge(copied)).toMatchObject({ outcome: 'reject', reasons: ['portrait_copy'] });
    expect(await judge(photo('img2.jpg'))).toMatchObject({ outcome: 'pass', reasons: [] });
  });

  it('is none of the 147 pairs of two photos of one person', async () => {
    const pairs = allPairs().filter(({ one, other, same }) => same && `${one}${other}` !== 'img11.jpgimg11_reflection.jpg'); // prettier-ignore
    const chips = new Map<string, Uint8Array>();
    for (const file of new Set(pairs.flatMap(({ one, other }) => [one, other]))) {
      chips.set(file, (await chipOf(eyes, photo(file))) as Uint8Array);
    }
    const values = pairs.map(({ one, other }) => portraitCorrelation(chips.get(one) as Uint8Array, chips.get(other) as Uint8Array)); // prettier-ignore
    expect(values).toHaveLength(147);
    expect(Math.max(...values)).toBeLessThan(COPY_THRESHOLDS.doubtful);
  });
});
