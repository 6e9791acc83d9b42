import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drafts of rules can be deleted; what was published stays, whatever a process asks for. */
export class DiscardedRules1764000009200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [DRAFTS_ALONE, GRANT]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const DRAFTS_ALONE = `
  create policy drafts_alone on compliance.validation as restrictive for delete to compliance_app using (status = 'draft')`;

const GRANT = 'grant delete on compliance.validation to compliance_app';
