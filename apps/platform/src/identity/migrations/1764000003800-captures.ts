import { allowChainTypes, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TRAIL } from '../sessions/session-chain.ts';

/** How a hosted session is taken on the capture page. tenant_name: who asks, as it was called then. active_token: the device that has it. */
const CAPTURE = `
  create table identity.capture (
    session_id uuid primary key references identity.flow_session,
    tenant_id uuid not null,
    tenant_name text not null,
    return_url text,
    locale text not null check (locale in ('es-CO', 'en')),
    active_token uuid not null,
    handovers int not null default 0 check (handovers >= 0)
  )`;

/** A token of the capture page: of a device, or of a handover that no device has opened. */
const CAPTURE_TOKEN = `
  create table identity.capture_token (
    id uuid primary key,
    tenant_id uuid not null,
    session_id uuid not null references identity.capture,
    token_hash bytea not null check (octet_length(token_hash) = 32),
    kind text not null check (kind in ('device', 'handover')),
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    ended_at timestamptz(3)
  );
  create unique index capture_token_hash on identity.capture_token (token_hash);
  create index capture_token_session on identity.capture_token (session_id)`;

/** Whose a capture token is; no rows when it is unknown, expired or ended, the session is long over, or its subject was erased. */
const RESOLVE_TOKEN = `
  create function identity.resolve_capture_token(p_token_hash bytea)
  returns table (token_id uuid, kind text, active boolean, session_id uuid, tenant_id uuid, subject_id uuid)
  language sql stable security definer set search_path = identity, pg_temp as $$
    select t.id, t.kind, c.active_token = t.id, s.id, s.tenant_id, s.subject_id
      from capture_token t
      join capture c on c.session_id = t.session_id
      join flow_session s on s.id = t.session_id
      join subject p on p.id = s.subject_id and p.tenant_id = s.tenant_id
     where t.token_hash = p_token_hash and t.ended_at is null and t.expires_at > now()
       and s.expires_at + interval '24 hours' > now() and s.forgotten_at is null and p.erased_at is null
  $$;
  revoke all on function identity.resolve_capture_token from public;
  grant execute on function identity.resolve_capture_token to identity_app`;

export class IdentityCaptures1764000003800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const tables = ['capture', 'capture_token'].map((table) => tenantTable('identity', table));
    const types = allowChainTypes(TRAIL, { types: ['handed_over', 'device_changed'] });
    for (const sql of [CAPTURE, CAPTURE_TOKEN, ...tables, RESOLVE_TOKEN, types]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function identity.resolve_capture_token');
    await runner.query('drop table identity.capture_token, identity.capture');
  }
}
