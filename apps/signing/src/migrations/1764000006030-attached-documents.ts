import type { MigrationInterface, QueryRunner } from 'typeorm';

/** attach_document: the mail that all have signed carries the sealed PDF. */
export class AttachedDocuments1764000006030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table signing.circuit add column attach_document boolean not null default false');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
