import { CONFIGURATION } from './configuration.ts';
import { NETWORK } from './network.ts';
import { OPERATIONS } from './operations.ts';
import { RESTRICTED } from './restricted.ts';
import { SCHEMA } from './schema.ts';
import type { Policy } from './subject.ts';
import { PODS, RELEASES } from './workload.ts';

/** Everything that holds for what is deployed. */
export const POLICIES: readonly Policy[] = [
  ...RESTRICTED,
  ...PODS,
  ...RELEASES,
  ...CONFIGURATION,
  ...NETWORK,
  ...OPERATIONS,
  ...SCHEMA,
];
