import type { PublishedRate } from './plausible-rate.ts';

/** A rate of the past, for sandboxes without a network. Production refuses to sell at it: it is older than five days. */
export const TRM_SEED: PublishedRate = { validFrom: '2024-12-31', validTo: '2024-12-31', value: '4409.15' };
