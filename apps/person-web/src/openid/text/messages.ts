import type { SPANISH } from './spanish.ts';

/** Everything the page of a sign-in says, in one language. Spanish comes first; English says the same. */
export type Messages = typeof SPANISH;
