import { allowCommit } from '@constancia/credit-ledger';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails on behalf of a tenant whose owner has not verified the address wait, unless they go to that address. */
export class WaitingMails1764000001040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const allowed = allowCommit('signing', { tables: { signer_mail: ['to_owner'] } });
    for (const statement of [COLUMNS, HOLD_BACK, RELEASE, LAG, allowed, GRANTS]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * to_owner: the signer's address is the owner's. waiting_for: the owner's verification, or room under a limit; created_at lies ahead until there is
 * room. It stays when a mail is dropped: it says why.
 */
const COLUMNS = `
  alter table signing.signer_mail
    add column waiting_for text check (waiting_for in ('owner', 'room')),
    add column to_owner boolean not null default false;
  create index signer_mail_waiting on signing.signer_mail (tenant_id)
    where waiting_for is not null and sent_at is null and failed_at is null`;

/** A trigger, so that it holds for every way in which a mail is made, by every release. A mail that waits is never due. */
const HOLD_BACK = `
  create function signing.hold_back_mail() returns trigger
  language plpgsql security definer set search_path = signing, pg_temp as $$
  begin
    if new.kind = 'not_me' or new.to_owner or platform_v1.owner_verified(new.tenant_id) then
      return new;
    end if;
    if exists (select from signer_mail m where m.signer_id = new.signer_id and m.to_owner) then
      new.to_owner := true;
      return new;
    end if;
    new.waiting_for := 'owner';
    new.due_at := 'infinity';
    return new;
  end $$;
  create trigger hold_back before insert on signing.signer_mail
    for each row execute function signing.hold_back_mail()`;

/**
 * Makes mails due whose owners are verified by now, those that wait for room too once there is room, and drops those that have waited for a
 * week. Returns how many were released.
 */
const RELEASE = `
  create function signing.release_waiting_mails() returns integer
  language sql volatile security definer set search_path = signing, pg_temp as $$
    with tenant as materialized (
      select w.tenant_id, platform_v1.owner_verified(w.tenant_id) as verified
        from (select distinct m.tenant_id from signer_mail m
               where m.waiting_for = 'owner' and m.sent_at is null and m.failed_at is null) w
    ), released as (
      update signer_mail m
         set waiting_for = case when m.created_at > now() then 'room' end,
             due_at = greatest(m.created_at, now()), created_at = greatest(m.created_at, clock_timestamp())
        from tenant t
       where t.verified and m.tenant_id = t.tenant_id and m.waiting_for = 'owner' and m.sent_at is null and m.failed_at is null
      returning 1
    ), dropped as (
      update signer_mail m set failed_at = now(), failure = 'owner_not_verified', secret = null
        from tenant t
       where not t.verified and m.tenant_id = t.tenant_id and m.waiting_for = 'owner' and m.sent_at is null and m.failed_at is null
         and m.created_at < now() - interval '7 days'
      returning 1
    )
    select count(*)::integer from released
  $$`;

/** As before, without what waits for the owner or for room. */
const LAG = `
  create or replace function signing.signer_mail_lag() returns double precision
  language sql stable security definer set search_path = signing, pg_temp set enable_seqscan = off as $$
    select coalesce(extract(epoch from now() - min(created_at)), 0)::double precision
      from signer_mail
     where sent_at is null and failed_at is null and waiting_for is distinct from 'owner' and created_at <= now()
  $$`;

const GRANTS = `
  revoke all on function signing.hold_back_mail, signing.release_waiting_mails from public;
  grant execute on function signing.release_waiting_mails to signing_app`;
