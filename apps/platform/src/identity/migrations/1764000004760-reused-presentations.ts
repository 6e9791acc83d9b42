import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The kept verification that stands for the document and the face of a session (ADR 0212). One stands for one session. */
export class IdentityReusedPresentations1764000004760 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table identity.flow_session add column presentation_id uuid references identity.wallet_presentation;
      create unique index flow_session_presentation on identity.flow_session (presentation_id) where presentation_id is not null`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
