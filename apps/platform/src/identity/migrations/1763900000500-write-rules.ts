import { commitListTables, commitWorkFunction } from '@constancia/credit-ledger';
import { allowChainTypes, chainTypeTable, type ChainTypes, guardChain } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TRAIL } from '../sessions/session-chain.ts';

const TRAIL_TYPES: ChainTypes = {
  types: [
    'opened', 'consent_given', 'step_started', 'step_accepted', 'step_skipped', 'step_flagged', 'step_retry', 'step_failed',
    'step_rejected', 'challenge_issued', 'referred', 'reviewed', 'case_resolved', 'completed', 'rejected', 'expired', 'erased',
  ],
}; // prettier-ignore

/** What the processes may write through the schema's own functions, stated in the store (ADR 0128). commit_work writes nothing here. */
export class IdentityWriteRules1763900000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      commitListTables('identity'),
      commitWorkFunction('identity'),
      chainTypeTable('identity'),
      allowChainTypes(TRAIL, TRAIL_TYPES),
      guardChain(TRAIL),
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
