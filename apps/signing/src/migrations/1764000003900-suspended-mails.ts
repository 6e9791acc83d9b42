import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails to signers wait while operators have their tenant suspended, for as long as that takes. */
export class SuspendedMails1764000003900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [WAITING_FOR, HOLD_NEW, HOLD_DUE, RELEASE, LAG, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** tenant: until it is resumed. */
const WAITING_FOR = `
  alter table signing.signer_mail drop constraint signer_mail_waiting_for_check;
  alter table signing.signer_mail add constraint signer_mail_waiting_for_check check (waiting_for in ('owner', 'room', 'tenant'))`;

/** After hold_back, by its name: what waits for the owner keeps waiting for the owner. */
const HOLD_NEW = `
  create function signing.hold_suspended_mail() returns trigger
  language plpgsql security definer set search_path = signing, pg_temp as $$
  begin
    if new.waiting_for is distinct from 'owner' and platform_v1.tenant_standing(new.tenant_id) = 'suspended' then
      new.waiting_for := 'tenant';
      new.due_at := 'infinity';
    end if;
    return new;
  end $$;
  create trigger hold_back_suspended before insert on signing.signer_mail
    for each row execute function signing.hold_suspended_mail()`;

/** Holds what was due when a tenant was suspended, except what is being sent. */
const HOLD_DUE = `
  create function signing.hold_mails_of_suspended() returns void
  language sql volatile security definer set search_path = signing, pg_temp set enable_seqscan = off as $$
    with tenant as materialized (
      select w.tenant_id, platform_v1.tenant_standing(w.tenant_id) = 'suspended' as suspended
        from (select distinct m.tenant_id from signer_mail m where m.sent_at is null and m.failed_at is null) w
    )
    update signer_mail m set waiting_for = 'tenant', due_at = 'infinity'
      from tenant t
     where t.suspended and m.tenant_id = t.tenant_id and m.sent_at is null and m.failed_at is null
       and (m.waiting_for is null or m.waiting_for = 'room') and (m.lease_until is null or m.lease_until <= now())
  $$`;

/**
 * As before, and makes mails due whose tenant was resumed. What waited for its tenant is never dropped, however long it took: its age counts
 * from the release.
 */
const RELEASE = `
  create or replace function signing.release_waiting_mails() returns integer
  language sql volatile security definer set search_path = signing, pg_temp set enable_seqscan = off as $$
    with waiting as materialized (
      select w.tenant_id, w.waiting_for,
             case w.waiting_for when 'owner' then platform_v1.owner_verified(w.tenant_id)
                                else platform_v1.tenant_standing(w.tenant_id) <> 'suspended' end as is_over
        from (select distinct m.tenant_id, m.waiting_for from signer_mail m
               where m.waiting_for in ('owner', 'tenant') and m.sent_at is null and m.failed_at is null) w
    ), released as (
      update signer_mail m
         set waiting_for = case when m.created_at > now() then 'room' end,
             due_at = greatest(m.created_at, now()), created_at = greatest(m.created_at, clock_timestamp())
        from waiting w
       where w.is_over and m.tenant_id = w.tenant_id and m.waiting_for = w.waiting_for and m.sent_at is null and m.failed_at is null
      returning 1
    ), dropped as (
      update signer_mail m set failed_at = now(), failure = 'owner_not_verified', secret = null
        from waiting w
       where not w.is_over and w.waiting_for = 'owner' and m.tenant_id = w.tenant_id and m.waiting_for = 'owner'
         and m.sent_at is null and m.failed_at is null and m.created_at < now() - interval '7 days'
      returning 1
    )
    select count(*)::integer from released
  $$`;

/** As before, without what waits for its tenant. */
const LAG = `
  create or replace function signing.signer_mail_lag() returns double precision
  language sql stable security definer set search_path = signing, pg_temp set enable_seqscan = off as $$
    select coalesce(extract(epoch from now() - min(created_at)), 0)::double precision
      from signer_mail
     where sent_at is null and failed_at is null and (waiting_for is null or waiting_for = 'room') and created_at <= now()
  $$`;

const GRANTS = `
  revoke all on function signing.hold_suspended_mail, signing.hold_mails_of_suspended from public;
  grant execute on function signing.hold_mails_of_suspended to signing_app`;
