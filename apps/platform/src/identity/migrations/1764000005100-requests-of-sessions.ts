import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests for kept verifications that the capture page of a session makes for its person (ADR 0213). link_sealed: the token of the
 * link, so that the page can show it again; until the request ends.
 */
export class IdentityRequestsOfSessions1764000005100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table identity.wallet_presentation
        add column session_id uuid references identity.flow_session,
        add column link_sealed bytea,
        add check (link_sealed is null or session_id is not null);
      create index wallet_presentation_session on identity.wallet_presentation (session_id) where session_id is not null`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
