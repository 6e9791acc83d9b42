import { signInCodeFunctions } from '@constancia/mail';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Codes of members by the functions that every schema with mailed codes has; what is asked and answered stays as it was. */
export class SharedSignInCodes1764000004700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [signInCodeFunctions('platform'), REQUEST_CODE, ISSUE_CODE, SIGN_IN]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

const REQUEST_CODE = `
  create or replace function platform.request_sign_in_code(p_email text, p_digest bytea) returns void ${AS_OWNER}
  as $$
  begin
    if note_code_request(p_digest) then
      insert into member_mail (kind, email, detail) values ('sign_in_code', p_email, encode(p_digest, 'hex'));
    end if;
  end $$`;

const ISSUE_CODE = `
  create or replace function platform.issue_sign_in_code(
    p_email text, p_digest bytea, p_code_hash bytea, p_decoy_hash bytea, p_ttl_seconds integer
  ) returns text ${AS_OWNER}
  as $$
  declare
    v_locale text;
  begin
    select m.locale into v_locale from member m
     where lower(m.email) = lower(p_email) and m.status = 'active' and not m.sso_only order by m.id limit 1;
    perform keep_code(p_digest, case when v_locale is null then p_decoy_hash else p_code_hash end, p_ttl_seconds);
    return v_locale;
  end $$`;

const SIGN_IN = `
  create or replace function platform.sign_in(p_email text, p_digest bytea, p_code_hashes bytea[], p_tenant_id uuid, p_session jsonb)
  returns table (outcome text, retry_after integer, tenant_id uuid, tenant_name text) ${AS_OWNER}
  as $$
  declare
    v_members uuid[];
    v_check record;
  begin
    select array_agg(m.id order by m.id) into v_members from member m
     where lower(m.email) = lower(p_email) and m.status = 'active' and not m.sso_only and (p_tenant_id is null or m.tenant_id = p_tenant_id);
    select * into v_check from check_code(p_digest, p_code_hashes, v_members is not null);
    if v_check.outcome <> 'ok' then
      return query select v_check.outcome, v_check.retry_after, null::uuid, null::text;
      return;
    end if;
    if cardinality(v_members) > 1 then
      return query select 'choose', null::integer, t.id, t.display_name
        from member m join tenant t on t.id = m.tenant_id where m.id = any (v_members) order by t.display_name, t.id;
      return;
    end if;
    perform use_code(p_digest);
    return query select open_member_session(m.id, 'code', p_session), null::integer, m.tenant_id, null::text
      from member m where m.id = v_members[1];
  end $$`;
