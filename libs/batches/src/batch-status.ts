/** States of a batch that its tenant sees. */
export const BATCH_STATUSES = ['processing', 'paused', 'completed', 'canceled', 'failed'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** What may hinder a batch of any kind; `expired`: it was given up. */
export type CommonReason = 'insufficient_credits' | 'internal_error' | 'expired';
