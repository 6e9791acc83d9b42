import { chargedWorkSchema } from '@constancia/credit-ledger';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ChargedWork1763700000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(chargedWorkSchema('compliance'));
    await runner.query(`grant select on compliance.migration to compliance_app`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function compliance.commit_work, compliance.purge_idempotency_keys`);
    await runner.query(`drop table compliance.idempotency_key`);
  }
}
