import { allowChainTypes, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ENVELOPE_TRAIL } from '../envelope-records/envelope-chain.ts';
import { CLAIM, DUE, LEASE } from './1764000006300-text-leases.sql.ts';

/** Codes by text message and WhatsApp: sent like mailed codes, limited by number and by tenant. The number is in envelope_signer.sealed_person. */
export class TextCodes1764000006300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      COLUMNS,
      METHODS,
      CODES,
      SIGNER_SESSION,
      TEXT_TAKEN,
      tenantTable('signing', 'text_taken', []),
      TAKE,
      FORGET,
      ...DUE,
      LEASE,
      CLAIM,
      allowChainTypes(ENVELOPE_TRAIL, { types: ['signer.otp_undelivered'] }),
      GRANTS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** otp_method: how the code of otp_hash was sent; null: by mail. phone_otp_sends: when codes were sent to the phone, over whichever channel. */
const COLUMNS = `
  alter table signing.envelope_signer
    add column otp_method text check (otp_method in ('otp_email', 'otp_sms', 'otp_whatsapp')),
    add column phone_otp_sends timestamptz[] not null default '{}'`;

const METHODS = `
  alter table signing.signer_proof drop constraint signer_proof_methods;
  alter table signing.signer_proof add constraint signer_proof_methods
    check (cardinality(methods) > 0 and methods <@ array['otp_email', 'otp_sms', 'otp_whatsapp', 'access_code', 'identity'])`;

/** For a request of a signer, in addition to find_signer. One row. */
const CODES = `
  create function signing.signer_codes(p_signer_id uuid) returns table (otp_method text, phone_otp_sends timestamptz[])
  language plpgsql stable security definer set search_path = signing, pg_temp set enable_seqscan = off as $$
  begin
    return query select s.otp_method, s.phone_otp_sends from envelope_signer s where s.id = p_signer_id;
  end $$`;

/** As before; a code to the phone covers both ways of sending one. */
const SIGNER_SESSION = `
  create or replace function signing.signer_session(p_signer_id uuid, p_proof_hash bytea, p_sealed_link_days integer)
  returns table (
    document_shown_at timestamptz, values_digest bytea, link_over boolean, proof_methods text[], proof_created_at timestamptz,
    proof_expires_at timestamptz, proof_idle_seconds double precision, draft_sealed bytea
  )
  language plpgsql stable security definer set search_path = signing, pg_temp set enable_seqscan = off as $$
  declare
    v_phone constant text[] := array['otp_sms', 'otp_whatsapp'];
  begin
    return query select s.document_shown_at, s.values_digest,
           s.link_stopped_at is not null or (
             e.status = 'sealed'
             and greatest(e.signed_at, s.link_renewed_at) + make_interval(days => p_sealed_link_days) <= now()),
           p.methods, p.created_at, least(p.used_at + interval '30 minutes', p.created_at + interval '8 hours'),
           extract(epoch from now() - p.used_at)::double precision,
           (select d.sealed from signer_draft d
             where d.signer_id = s.id and p.methods || case when p.methods && v_phone then v_phone end @> s.auth)
      from envelope_signer s
      join envelope e on e.id = s.envelope_id
      left join signer_proof p
        on p.hash = p_proof_hash and p.signer_id = s.id
       and least(p.used_at + interval '30 minutes', p.created_at + interval '8 hours') > now()
     where s.id = p_signer_id;
  end $$`;

/** A code that was sent to a phone. number_index: HMAC of the number with a key of the deployment, the same for every tenant. */
const TEXT_TAKEN = `
  create table signing.text_taken (
    id uuid primary key default gen_random_uuid(),
    tenant_id uuid not null,
    number_index bytea not null check (length(number_index) = 32),
    taken_at timestamptz not null
  );
  create index text_taken_of_number on signing.text_taken (number_index, taken_at desc);
  create index text_taken_of_tenant on signing.text_taken (tenant_id, taken_at desc);
  create index text_taken_at on signing.text_taken (taken_at)`;

/**
 * Takes room for a code to a number, across envelopes and tenants. p_args: {numbers: [hexadecimal HMAC by each key, the present one first],
 * between_seconds, per_hour, per_day, per_tenant, slack_seconds: by which the clocks of callers may be ahead}. Returns null when it was taken, else {limit, until} of the limit that is over.
 * One caller of a number at a time, then one of a tenant.
 */
const TAKE = `
  create function signing.take_text_room(p_tenant_id uuid, p_args jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = signing, pg_temp set enable_seqscan = off as $$
  declare
    v_numbers constant bytea[] := array(
      select decode(n.value, 'hex') from jsonb_array_elements_text(p_args -> 'numbers') with ordinality n order by n.ordinality);
    v_slack constant interval := make_interval(secs => (p_args ->> 'slack_seconds')::integer);
    v_now timestamptz;
    v_over record;
  begin
    perform pg_advisory_xact_lock(hashtextextended('signing.text_taken:' || encode(n, 'hex'), 0))
       from (select unnest(v_numbers) as n order by 1) sorted;
    perform pg_advisory_xact_lock(hashtextextended('signing.text_taken:' || p_tenant_id, 0));
    v_now := clock_timestamp();
    select o.* into v_over from (
      select * from (select 'interval' as name, t.taken_at + make_interval(secs => (p_args ->> 'between_seconds')::integer) as until
        from text_taken t where t.number_index = any (v_numbers) order by t.taken_at desc limit 1) a
      union all select * from (select 'hour', t.taken_at + interval '1 hour'
        from text_taken t where t.number_index = any (v_numbers)
       order by t.taken_at desc offset (p_args ->> 'per_hour')::integer - 1 limit 1) b
      union all select * from (select 'day', t.taken_at + interval '1 day'
        from text_taken t where t.number_index = any (v_numbers)
       order by t.taken_at desc offset (p_args ->> 'per_day')::integer - 1 limit 1) c
      union all select * from (select 'tenant', t.taken_at + interval '1 day'
        from text_taken t where t.tenant_id = p_tenant_id
       order by t.taken_at desc offset (p_args ->> 'per_tenant')::integer - 1 limit 1) d
    ) o where o.until - v_slack > v_now order by o.until desc limit 1;
    if found then
      return jsonb_build_object('limit', v_over.name, 'until', extract(epoch from v_over.until));
    end if;
    insert into text_taken (tenant_id, number_index, taken_at) values (p_tenant_id, v_numbers[1], v_now);
    return null;
  end $$`;

/** Deletes rows that no longer count, 500 at a time. */
const FORGET = `
  create function signing.forget_text_counts() returns void
  language sql volatile security definer set search_path = signing, pg_temp as $$
    delete from text_taken where ctid = any (array(
      select t.ctid from text_taken t where t.taken_at < now() - interval '1 day' limit 500 for update skip locked))
  $$`;

const FUNCTIONS = `signing.signer_codes, signing.take_text_room, signing.forget_text_counts, signing.claim_signer_mails_v4`;

const GRANTS = `
  revoke all on function ${FUNCTIONS} from public;
  grant execute on function ${FUNCTIONS} to signing_app`;
