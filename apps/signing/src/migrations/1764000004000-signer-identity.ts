import { allowChainTypes, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ENVELOPE_TRAIL } from '../envelope-records/envelope-chain.ts';

/** The check of a signer's identity (`auth: ["identity"]`), which the identity module carries out. */
export class SignerIdentity1764000004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      CHECK,
      tenantTable('signing', 'identity_check', ['select', 'insert', 'update', 'delete']),
      CANCELLATION,
      tenantTable('signing', 'identity_cancellation', ['select', 'delete']),
      ERASURE,
      METHODS,
      TO_ASK,
      TO_CANCEL,
      allowChainTypes(ENVELOPE_TRAIL, { types: ['signer.identity_started', 'signer.identity_checked'] }),
      GRANTS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * One row per signer: starting again replaces it, and the answer to the former id finds nothing. claim_hash: SHA-256 of what the browser
 * holds that started it; request_sealed: what is asked, until it is answered; capture_sealed: the person's address, while the check is
 * under way; starts: when checks were started; verified: evidence without the name.
 */
const CHECK = `
  create table signing.identity_check (
    signer_id uuid primary key references signing.envelope_signer,
    tenant_id uuid not null,
    id uuid not null unique,
    status text not null,
    reason text,
    claim_hash bytea not null,
    request_sealed bytea,
    capture_sealed bytea,
    verified jsonb,
    starts timestamptz[] not null,
    asked_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    settled_at timestamptz,
    constraint identity_check_status check (status in (
      'requested', 'open', 'in_review', 'verified', 'name_mismatch', 'not_verified', 'expired', 'refused')),
    constraint identity_check_claim check (length(claim_hash) = 32),
    constraint identity_check_settled check ((settled_at is null) = (status in ('requested', 'open', 'in_review'))),
    constraint identity_check_verified check ((verified is not null) = (status = 'verified'))
  );
  create index identity_check_unsettled on signing.identity_check (asked_at) where settled_at is null`;

/**
 * Checks that ended while they were under way, because another one replaced them, their link was replaced or their envelope ended: the
 * identity module is sent the cancellation until it answers.
 */
const CANCELLATION = `
  create table signing.identity_cancellation (
    id uuid primary key,
    tenant_id uuid not null,
    sent_at timestamptz
  );
  create index identity_cancellation_due on signing.identity_cancellation (sent_at nulls first);
  create function signing.cancel_identity_check() returns trigger
  language plpgsql security definer set search_path = signing, pg_temp as $$
  begin
    insert into identity_cancellation (id, tenant_id) values (old.id, old.tenant_id) on conflict do nothing;
    return null;
  end $$;
  create trigger cancel_deleted_check after delete on signing.identity_check
  for each row when (old.settled_at is null) execute function signing.cancel_identity_check()`;

/**
 * A check ends with the link that it was started by: with a replaced link the signer starts again. When the envelope ends without a document,
 * those that are under way expire; what is asked and the person's address are deleted.
 */
const ERASURE = `
  create function signing.erase_identity_check() returns trigger
  language plpgsql security definer set search_path = signing, pg_temp as $$
  begin
    delete from identity_check where signer_id = new.id;
    return null;
  end $$;
  create trigger erase_identity_check after update of token_hash on signing.envelope_signer
  for each row when (new.token_hash is distinct from old.token_hash) execute function signing.erase_identity_check();
  create function signing.end_identity_checks() returns trigger
  language plpgsql security definer set search_path = signing, pg_temp as $$
  begin
    with ended as (
      update identity_check c
         set status = 'expired', settled_at = now(), reason = null, request_sealed = null, capture_sealed = null
        from envelope_signer s where s.envelope_id = new.id and c.signer_id = s.id and c.settled_at is null
      returning c.id, c.tenant_id
    )
    insert into identity_cancellation (id, tenant_id) select id, tenant_id from ended on conflict do nothing;
    return null;
  end $$;
  create trigger end_identity_checks after update of status on signing.envelope
  for each row when (new.status in ('voided', 'expired', 'declined', 'failed') and new.status is distinct from old.status)
  execute function signing.end_identity_checks()`;

const METHODS = `
  alter table signing.signer_proof drop constraint signer_proof_methods;
  alter table signing.signer_proof add constraint signer_proof_methods
    check (cardinality(methods) > 0 and methods <@ array['otp_email', 'access_code', 'identity'])`;

/**
 * Checks of any tenant whose state is to be asked, each given to one caller: every 3 seconds until they are answered, then every
 * 15, and under review every minute. Those of envelopes that are over are left.
 */
const TO_ASK = `
  create function signing.identity_checks_to_ask(p_limit integer)
  returns table (tenant_id uuid, signer_id uuid, id uuid, request_sealed bytea)
  language sql volatile security definer set search_path = signing, pg_temp as $$
    with due as materialized (
      select c.signer_id from identity_check c
       where c.settled_at is null and c.asked_at < now() - case c.status
               when 'requested' then interval '3 seconds' when 'open' then interval '15 seconds' else interval '1 minute' end
         and exists (select from envelope_signer s join envelope e on e.id = s.envelope_id
                      where s.id = c.signer_id
                        and (e.status in ('sent', 'in_progress') and e.expires_at > now() or e.status in ('sealing', 'sealed')))
       order by c.asked_at
       limit p_limit
         for update of c skip locked
    )
    update identity_check c set asked_at = now() from due where c.signer_id = due.signer_id
    returning c.tenant_id, c.signer_id, c.id, c.request_sealed
  $$`;

/** Cancelled checks of any tenant that the identity module has not answered yet, each given to one caller, every 15 seconds. */
const TO_CANCEL = `
  create function signing.identity_checks_to_cancel(p_limit integer) returns table (tenant_id uuid, id uuid)
  language sql volatile security definer set search_path = signing, pg_temp as $$
    with due as materialized (
      select c.id from identity_cancellation c
       where c.sent_at is null or c.sent_at < now() - interval '15 seconds'
       order by c.sent_at nulls first
       limit p_limit
         for update skip locked
    )
    update identity_cancellation c set sent_at = now() from due where c.id = due.id
    returning c.tenant_id, c.id
  $$`;

const GRANTS = `
  revoke all on function signing.identity_checks_to_ask, signing.identity_checks_to_cancel, signing.erase_identity_check,
    signing.end_identity_checks, signing.cancel_identity_check from public;
  grant execute on function signing.identity_checks_to_ask, signing.identity_checks_to_cancel to signing_app`;
