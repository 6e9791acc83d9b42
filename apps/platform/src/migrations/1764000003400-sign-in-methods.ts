import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How a member signed in, and what a tenant requires of it: sign_in_access, of the migration of passkeys, says what a session is worth by
 * that rule, and open_member_session, of that of single sign-on, opens none that is worth nothing.
 */
export class SignInMethods1764000003400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [METHOD, SETTINGS, tenantTable('platform', 'sign_in_settings'), END_SESSIONS, ISSUE_TOKEN])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

/** Sessions of before were opened with a mailed code, or with a link. */
const METHOD = `
  alter table platform.member_session
    add column method text not null default 'code' check (method in ('code', 'link', 'passkey', 'sso'));
  alter table platform.member_session alter column method drop default`;

/** required_method: null: every method. A tenant without a row requires none. */
const SETTINGS = `
  create table platform.sign_in_settings (
    tenant_id uuid primary key references platform.tenant,
    required_method text check (required_method in ('passkey', 'sso'))
  )`;

/**
 * A new rule ends the sessions that do not meet it, and so their tokens, each of which is announced. The lock of the tenant's row: a session
 * that is opened, or a token that is issued, waits for the rule, or the rule for it.
 */
const END_SESSIONS = `
  create function platform.end_sessions_below_rule() returns trigger ${AS_OWNER} as $$
  begin
    perform from tenant t where t.id = new.tenant_id for no key update;
    delete from member_session s where s.tenant_id = new.tenant_id and sign_in_access(s.member_id, s.method) <> 'full';
    return null;
  end $$;
  create trigger end_sessions after insert or update on platform.sign_in_settings
    for each row execute function platform.end_sessions_below_rule();
  revoke all on function platform.end_sessions_below_rule from public`;

/** As before, for a session with full access alone. */
const ISSUE_TOKEN = `
  create or replace function platform.issue_member_token(p_session_id uuid, p_token_hash bytea, p_ttl_seconds integer)
  returns timestamptz ${AS_OWNER} as $$
  declare
    v_expires_at timestamptz;
  begin
    perform from tenant t where t.id = (select s.tenant_id from member_session s where s.id = p_session_id) for share;
    insert into member_token (token_hash, tenant_id, member_id, session_id, expires_at)
    select p_token_hash, s.tenant_id, s.member_id, s.id, least(now() + make_interval(secs => p_ttl_seconds), s.expires_at)
      from member_session s where s.id = p_session_id and sign_in_access(s.member_id, s.method) = 'full'
    returning expires_at into v_expires_at;
    return v_expires_at;
  end $$`;
