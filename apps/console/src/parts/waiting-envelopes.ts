/** States of envelopes that wait for their signers. */
export const WAITING_STATES = ['sent', 'in_progress'] as const;

/** What an address says for these states. */
export const WAITING = 'waiting';
