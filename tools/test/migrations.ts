import { COMPLIANCE } from '../../apps/compliance/src/migrations/all.ts';
import { IDENTITY } from '../../apps/platform/src/identity/migrations/all.ts';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { SIGNING } from '../../apps/signing/src/migrations/all.ts';

export { migrateQueue } from '@constancia/queue';

/** Every module with a schema. Read by the run that makes the template, and by no other: it takes seconds. */
export const modules = [PLATFORM, IDENTITY, COMPLIANCE, SIGNING];
