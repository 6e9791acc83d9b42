import type { SPANISH } from './spanish.ts';

/** Everything the signing page says, in one language. Spanish comes first; other languages say the same. */
export type Messages = typeof SPANISH;
