import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateText, tenThousandths } from '../trm/decimal.ts';
import { priceOf } from './price.ts';

const CENT = 10_000;

describe('the price of credits', () => {
  it.each([
    // amount, TRM, USD micros, bonus → credits, of which bonus
    [100_000, '4123.45', CENT, 0, 2_425, 0],
    [100_000, '4123.45', CENT, 10, 2_667, 242],
    [20_000, '4123.45', CENT, 0, 485, 0],
    [50_000_000, '4123.45', CENT, 0, 1_212_576, 0],
    [50_000_000, '1000', CENT, 100, 10_000_000, 5_000_000],
    [20_000, '10000', CENT, 0, 200, 0],
    [100_000, '4000', CENT, 0, 2_500, 0],
    [99_999, '4000', CENT, 0, 2_499, 0],
    [100_000, '4000.0001', CENT, 0, 2_499, 0],
    [100_000, '3999.9999', CENT, 0, 2_500, 0],
    [100_000, '4123.4567', 12_500, 15, 2_231, 291],
    [41_234, '4123.45', CENT, 0, 999, 0],
    [41_235, '4123.45', CENT, 0, 1_000, 0],
  ])(
    '%i COP at %s and %i micro-USD with a bonus of %i %% are %i credits',
    (amountCop, trm, usdMicros, bonusPercent, amountCredits, bonusCredits) => {
      expect(priceOf({ amountCop, trm, usdMicros, bonusPercent })).toEqual({ amountCredits, bonusCredits });
    },
  );

  it('is the largest whole number of credits that the amount pays for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20_000, max: 50_000_000 }),
        fc.integer({ min: 10_000_000, max: 100_000_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 0, max: 100 }),
        (amountCop, rate, usdMicros, bonusPercent) => {
          const trm = `${Math.floor(rate / 10_000)}.${String(rate % 10_000).padStart(4, '0')}`;
          const { amountCredits } = priceOf({ amountCop, trm, usdMicros, bonusPercent });
          const paid = BigInt(amountCop) * 10n ** 10n * BigInt(100 + bonusPercent);
          const cost = BigInt(rate) * BigInt(usdMicros) * 100n;
          expect(BigInt(amountCredits) * cost <= paid && paid < BigInt(amountCredits + 1) * cost).toBe(true);
        },
      ),
    );
  });

  it.each(['', '4,123.45', '4123.45678', '-1', '1e4', 'NaN'])('refuses the rate %j', (text) => {
    expect(() => tenThousandths(text)).toThrow(TypeError);
  });

  it.each([
    ['4123.4500', '4123.45'],
    ['4000', '4000.00'],
    ['4123.4567', '4123.4567'],
    ['4123.4560', '4123.456'],
  ])('writes the rate %s as %s', (decimal, text) => expect(rateText(decimal)).toBe(text));
});
