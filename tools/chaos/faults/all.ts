import type { Fault } from './fault.ts';
import { KILLS } from './kills.ts';
import { STORES } from './stores.ts';
import { SURROUNDINGS } from './surroundings.ts';

/** The matrix. */
export const FAULTS: readonly Fault[] = [...KILLS, ...STORES, ...SURROUNDINGS];
