import type { SPANISH } from './spanish.ts';

/** Everything the wallet's page says, in one language. Spanish comes first; English says the same. */
export type Messages = typeof SPANISH;
