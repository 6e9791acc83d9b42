import type { PublishedRate } from './plausible-rate.ts';

/**
 * A rate of the past, for sandboxes without a network. Production refuses to sell at it: it is older than five days.
 *
 * Not read from the publisher (Superintendencia Financiera; datos.gov.co, 32sa-8pi3), which could not be reached when this was written.
 * What was found: a public repository whose test reads that data set names 4.409,15 as the rate in force on 2025-01-01, from a row that
 * begins before it, since the day is a holiday (searched 2026-11-25). No source was found for the last day of that row, which may be later.
 */
export const TRM_SEED: PublishedRate = { validFrom: '2024-12-31', validTo: '2025-01-01', value: '4409.15' };
