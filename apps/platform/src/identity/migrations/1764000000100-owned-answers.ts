import { ownedAnswers } from '@constancia/idempotency';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Answers of a session that are stored for an Idempotency-Key are sealed with the subject's key, and found by it. */
export class IdentityOwnedAnswers1764000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ownedAnswers('identity'));
    await runner.query(RESOLVE_TOKEN);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index identity.idempotency_key_owner');
  }
}

/** As before, and nobody's once its subject was erased. */
const RESOLVE_TOKEN = `
  create or replace function identity.resolve_session_token(p_token_hash bytea)
  returns table (session_id uuid, tenant_id uuid, subject_id uuid)
  language sql stable security definer set search_path = identity, pg_temp as $$
    select s.id, s.tenant_id, s.subject_id from flow_session s
      join subject p on p.id = s.subject_id and p.tenant_id = s.tenant_id
     where s.token_hash = p_token_hash and s.expires_at + interval '24 hours' > now() and p.erased_at is null
  $$`;
