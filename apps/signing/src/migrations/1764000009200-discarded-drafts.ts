import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drafts of circuits can be deleted; what was published stays, whatever a process asks for. */
export class DiscardedCircuits1764000009200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [DRAFTS_ALONE, GRANT]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const DRAFTS_ALONE = `
  create policy drafts_alone on signing.circuit as restrictive for delete to signing_app using (status = 'draft')`;

const GRANT = 'grant delete on signing.circuit to signing_app';
