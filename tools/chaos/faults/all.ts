import type { Fault } from './fault.ts';
import { KILLS } from './kills.ts';
import { STORES } from './stores.ts';
import { DEPENDENCIES } from './dependencies.ts';

/** The matrix. */
export const FAULTS: readonly Fault[] = [...KILLS, ...STORES, ...DEPENDENCIES];
