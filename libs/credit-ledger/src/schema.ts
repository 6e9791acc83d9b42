import { idempotencySchema } from '@constancia/idempotency';
import { commitWorkFunction } from './commit-work.ts';

/** SQL that gives a module's schema its idempotency table and `commit_work`, which needs commitListTables before its first use. */
export function chargedWorkSchema(schema: string): string {
  return `${idempotencySchema(schema)} ${commitWorkFunction(schema)}`;
}
