import { tenThousandths } from './decimal.ts';

/** A rate as a source answers it. Days are of Bogotá; a rate of a Friday is valid over the weekend. */
export interface PublishedRate {
  validFrom: string;
  validTo: string;
  value: string;
}

const LEAST = 1_000n * 10_000n;
const MOST = 10_000n * 10_000n;
/** Of a day: the rate has moved 6 % at most in one day since 1991. */
const MOST_PERCENT_A_DAY = 10n;
const DAY_MS = 86_400_000;

/**
 * Why a rate is not believed; null when it is. It must lie between 1,000 and 10,000 COP, and must not have moved by more than 10 % for each
 * day since the last rate that was believed.
 */
export function implausibility(rate: PublishedRate, last: PublishedRate | undefined): string | null {
  const value = tenThousandths(rate.value);
  if (value < LEAST || value > MOST) return 'it is outside 1,000 to 10,000 COP';
  if (rate.validTo < rate.validFrom || daysBetween(rate.validFrom, rate.validTo) > 31) return 'its days make no sense';
  if (last === undefined) return null;
  const before = tenThousandths(last.value);
  const days = BigInt(Math.max(1, daysBetween(last.validTo, rate.validFrom)));
  const moved = value > before ? value - before : before - value;
  return moved * 100n > before * MOST_PERCENT_A_DAY * days ? 'it moved by more than 10 % a day' : null;
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}
