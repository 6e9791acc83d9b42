import { sleep } from '@constancia/kernel';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RateLimitStore } from './store.ts';

/** What every store must do, in real time. */
export function storeConformance(name: string, open: () => Promise<RateLimitStore>): void {
  describe(`${name}: sliding window`, () => {
    let store: RateLimitStore;
    const fresh = () => `key-${randomUUID()}`;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());

    it('lets exactly 120 of 1,000 concurrent takes pass', async () => {
      const key = fresh();
      const all = await Promise.all(Array.from({ length: 1_000 }, () => store.take(key, 120, 60)));
      expect(all.filter(({ allowed }) => allowed)).toHaveLength(120);
    });

    it('counts down and returns limit, remaining and an honest reset', async () => {
      const key = fresh();
      const before = Date.now() / 1000;
      const answers = [await store.take(key, 2, 60), await store.take(key, 2, 60), await store.take(key, 2, 60)];
      expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, false]);
      expect(answers.map(({ remaining }) => remaining)).toEqual([1, 0, 0]);
      for (const { limit, resetAtSeconds } of answers) {
        expect(limit).toBe(2);
        expect(Number.isInteger(resetAtSeconds)).toBe(true);
        expect(resetAtSeconds).toBeGreaterThanOrEqual(Math.floor(before) + 60);
        expect(resetAtSeconds).toBeLessThanOrEqual(before + 63);
      }
      expect(answers[0]?.retryAfterSeconds).toBe(0);
      expect(answers[2]?.retryAfterSeconds).toBeGreaterThanOrEqual(59);
    });

    it('lets the next request pass at the reset that it stated, every time', async () => {
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const key = fresh();
          await sleep(Math.random() * 1_000); // at every phase of the second
          await store.take(key, 1, 1);
          const refused = await store.take(key, 1, 1);
          expect(refused.allowed).toBe(false);
          await until(refused.resetAtSeconds);
          expect(await store.take(key, 1, 1)).toMatchObject({ allowed: true });
        }),
      );
    });

    it('has no second burst at the edge of a window', async () => {
      const key = fresh();
      const passed: number[] = [];
      const end = Date.now() + 1_500;
      while (Date.now() < end) {
        const sent = performance.now();
        const { allowed } = await store.take(key, 5, 0.4);
        if (allowed) passed.push(sent);
        await sleep(7);
      }
      expect(passed.length).toBeGreaterThan(10);
      // Between send and count lie some milliseconds: five takes later at least the window less that has gone by.
      for (let i = 5; i < passed.length; i++) {
        expect((passed[i] as number) - (passed[i - 5] as number)).toBeGreaterThan(380);
      }
    });

    it('returns a token that was given back, and never more than were taken', async () => {
      const key = fresh();
      await store.take(key, 1, 60);
      expect(await store.take(key, 1, 60)).toMatchObject({ allowed: false });
      await store.giveBack(key, 60);
      expect(await store.take(key, 1, 60)).toMatchObject({ allowed: true });
      await store.giveBack(key, 60);
      await store.giveBack(key, 60);
      expect(await store.take(key, 1, 60)).toMatchObject({ allowed: true });
      expect(await store.take(key, 1, 60)).toMatchObject({ allowed: false });
    });

    it('counts what was used already, beyond what was left', async () => {
      const key = fresh();
      expect(await store.charge(key, 3, 5, 60)).toMatchObject({ allowed: true, limit: 5, remaining: 2 });
      const spent = await store.charge(key, 4, 5, 60);
      expect(spent).toMatchObject({ allowed: false, remaining: 0 });
      expect(spent.retryAfterSeconds).toBeGreaterThanOrEqual(59);
      expect(await store.take(key, 5, 60)).toMatchObject({ allowed: false });
      expect(await store.take(fresh(), 5, 60)).toMatchObject({ allowed: true });
    });

    it('has one left again at the reset of a charge, also where it exceeded the limit many times', async () => {
      const key = fresh();
      const { resetAtSeconds } = await store.charge(key, 1_000, 3, 1);
      await until(resetAtSeconds);
      expect(await store.take(key, 3, 1)).toMatchObject({ allowed: true });
    });

    it('keeps keys apart', async () => {
      const [one, other] = [fresh(), fresh()];
      await store.take(one, 1, 60);
      expect(await store.take(other, 1, 60)).toMatchObject({ allowed: true });
    });

    it('never passes more than the limit, whatever the order of takes and returns', async () => {
      const step = fc.constantFrom('take', 'take', 'take', 'take', 'giveBack');
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 40 }), async (limit, steps) => {
          const key = fresh();
          let held = 0;
          for (const kind of steps) {
            if (kind === 'giveBack') {
              await store.giveBack(key, 60);
              held = Math.max(0, held - 1);
              continue;
            }
            const { allowed, remaining } = await store.take(key, limit, 60);
            expect(allowed).toBe(held < limit);
            if (allowed) held += 1;
            expect(remaining).toBe(limit - held);
          }
        }),
        { numRuns: 40 },
      );
    });
  });
}

async function until(epochSeconds: number): Promise<void> {
  while (Date.now() < epochSeconds * 1000) await sleep(epochSeconds * 1000 - Date.now());
}
