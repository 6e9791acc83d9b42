import type { MigrationInterface, QueryRunner } from 'typeorm';

const MAIL = `
  alter table identity.wallet_mail
    drop constraint wallet_mail_kind_check,
    add constraint wallet_mail_kind_check check (kind in (
      'offer_code', 'address_taken', 'kept', 'other_address', 'sign_in_code', 'presentation', 'consent_code',
      'credential_code', 'passkey_added', 'passkey_removed', 'passkey_refused',
      'recovery_code', 'recovery_cooling', 'recovery_cancelled', 'recovery_completed', 'recovery_expired'
    ))`;

/**
 * One that cools has a wallet that was told: its end is mailed, too. The mail does not refer to the recovery, which the same sweep may delete.
 * The wallet's row is locked first, as everything does that locks both; one that is locked waits for the next sweep.
 */
const SWEEP = `
  create or replace function identity.expire_recoveries(p_limit integer, p_most integer) returns void
  language plpgsql volatile security definer set search_path = identity, pg_temp as $$
  declare
    v_recovery wallet_recovery;
  begin
    for v_recovery in
      select * from wallet_recovery r
       where r.state = 'cooling' and r.created_at <= now() - interval '6 days' limit p_limit
    loop
      perform from wallet w where w.wallet_id = v_recovery.wallet_id for no key update skip locked;
      continue when not found;
      update wallet_recovery r
         set state = 'expired', ended_at = now(), passkey = null, passkey_sealed = null, cancel_hash = null
       where r.id = v_recovery.id and r.state = 'cooling';
      continue when not found;
      insert into wallet_mail (kind, wallet_id) values ('recovery_expired', v_recovery.wallet_id);
    end loop;
    for v_recovery in
      select * from wallet_recovery r
       where r.check_input is not null and (r.check_deadline <= now() or (r.claims >= 3 and r.lease_until <= now()))
       limit p_limit for update skip locked
    loop
      perform end_recovery_check(v_recovery, 'error', 'unavailable', p_most);
    end loop;
    for v_recovery in
      select * from wallet_recovery r
       where r.state in ('started', 'contact_verified') and r.expires_at <= now() and r.check_input is null
       limit p_limit for update skip locked
    loop
      delete from wallet_recovery_picture p where p.recovery_id = v_recovery.id;
      update wallet_recovery r
         set state = 'expired', ended_at = now(), code_hash = null, passkey = null, passkey_sealed = null
       where r.id = v_recovery.id;
    end loop;
    delete from wallet_recovery r
     where r.id in (select o.id from wallet_recovery o
                     where o.created_at < now() - interval '3 days'
                       and o.state in ('completed', 'cancelled', 'expired', 'rejected') limit p_limit);
  end $$`;

/** A recovery that expires while it can be cancelled is mailed (ADR 0210). */
export class IdentityExpiredRecoveries1764000005400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [MAIL, SWEEP]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
