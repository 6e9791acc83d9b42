import { chargedWorkSchema } from '@constancia/credit-ledger';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IdentityChargedWork1763700000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(chargedWorkSchema('identity'));
    await runner.query(`grant select on identity.migration to identity_app`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function identity.commit_work, identity.purge_idempotency_keys`);
    await runner.query(`drop table identity.idempotency_key`);
  }
}
