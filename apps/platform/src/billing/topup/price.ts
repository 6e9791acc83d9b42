import { tenThousandths } from '../trm/decimal.ts';

/** What a top-up buys: an amount, the exchange rate, the price of a credit, and a bonus. */
export interface PriceFacts {
  /** Whole pesos. */
  amountCop: number;
  /** COP for a USD, a decimal number with at most four places: `4123.45`. */
  trm: string;
  /** Price of a credit, in millionths of a USD. */
  usdMicros: number;
  bonusPercent: number;
}

export interface Price {
  amountCredits: number;
  /** How many of them are the bonus. */
  bonusCredits: number;
}

/**
 * floor(amount · 10^10 · (100 + bonus) / (TRM in 10^-4 · USD in 10^-6 · 100)), in integers of any size: no rounding but the last one, and
 * never in floating point.
 */
export function priceOf({ amountCop, trm, usdMicros, bonusPercent }: PriceFacts): Price {
  const credits = (percent: number): bigint =>
    (BigInt(amountCop) * 10n ** 10n * BigInt(percent)) / (tenThousandths(trm) * BigInt(usdMicros) * 100n);
  const amountCredits = credits(100 + bonusPercent);
  return { amountCredits: Number(amountCredits), bonusCredits: Number(amountCredits - credits(100)) };
}
