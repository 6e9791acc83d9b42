import { passkeyChallengeFunctions, passkeyChallengeTable } from '@constancia/auth/passkeys-schema';
import { ownersTable, walletTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passkeys of wallets: as those of members, and with the same challenges. */
export class IdentityWalletPasskeys1764000004730 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      PASSKEY,
      walletTable('identity', 'wallet_passkey', ['select', 'insert', 'delete']),
      OF_SESSION,
      passkeyChallengeTable('identity'),
      ownersTable('identity', 'passkey_challenge'),
      passkeyChallengeFunctions('identity'),
      USE_PASSKEY,
      SWEEP,
      GRANTS,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** sealed: its name, as the person gave it. sign_count: of the last sign-in, 0 for authenticators that do not count. */
const PASSKEY = `
  create table identity.wallet_passkey (
    id uuid primary key,
    wallet_id uuid not null references identity.wallet,
    credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
    public_key bytea not null,
    sign_count bigint not null,
    transports text[] not null,
    sealed bytea not null,
    backed_up boolean not null,
    created_at timestamptz(3) not null default now(),
    last_used_at timestamptz(3),
    regressed_at timestamptz
  );
  create index wallet_passkey_of on identity.wallet_passkey (wallet_id, id)`;

/** A passkey that is removed ends the sessions that it opened. */
const OF_SESSION = `
  alter table identity.wallet_session
    add column passkey_id uuid references identity.wallet_passkey on delete cascade,
    add check ((passkey_id is not null) = (method = 'passkey'));
  create index wallet_session_by_passkey on identity.wallet_session (passkey_id)`;

/**
 * use_passkey: for a passkey whose signature is right. No wallet for a count that went back, as that of a copied passkey does: then the person
 * is mailed, at most once an hour.
 */
const USE_PASSKEY = `
  create function identity.wallet_passkey_by_credential(p_credential_id bytea) returns table (id uuid, wallet_id uuid, public_key bytea)
  language sql stable security definer set search_path = identity, pg_temp
  as $$ select k.id, k.wallet_id, k.public_key from wallet_passkey k where k.credential_id = p_credential_id $$;

  create function identity.use_passkey(p_passkey_id uuid, p_sign_count bigint, p_backed_up boolean, out wallet_id uuid)
  language plpgsql volatile security definer set search_path = identity, pg_temp as $$
  begin
    perform from wallet w where w.wallet_id = (select k.wallet_id from wallet_passkey k where k.id = p_passkey_id) for share;
    update wallet_passkey k set sign_count = p_sign_count, backed_up = p_backed_up, last_used_at = now()
     where k.id = p_passkey_id and (p_sign_count > k.sign_count or (p_sign_count = 0 and k.sign_count = 0))
    returning k.wallet_id into wallet_id;
    if wallet_id is null then
      with refused as (
        update wallet_passkey k set regressed_at = now()
         where k.id = p_passkey_id and coalesce(k.regressed_at < now() - interval '1 hour', true)
        returning k.wallet_id
      )
      insert into wallet_mail (kind, wallet_id) select 'passkey_refused', r.wallet_id from refused r;
    end if;
  end $$;

  create function identity.open_passkey_session(
    p_passkey_id uuid, p_sign_count bigint, p_backed_up boolean, p_session_id uuid, p_seconds integer,
    out wallet_id uuid, out expires_at timestamptz
  ) language plpgsql volatile security definer set search_path = identity, pg_temp as $$
  begin
    wallet_id := use_passkey(p_passkey_id, p_sign_count, p_backed_up);
    if wallet_id is null then
      return;
    end if;
    expires_at := date_trunc('second', clock_timestamp()) + make_interval(secs => p_seconds);
    insert into wallet_session (id, wallet_id, method, passkey_id, expires_at)
    values (p_session_id, open_passkey_session.wallet_id, 'passkey', p_passkey_id, open_passkey_session.expires_at);
  end $$`;

/** Sessions that have expired, and challenges that nobody used. */
const SWEEP = `
  create function identity.delete_old_wallet_sessions() returns void
  language plpgsql volatile security definer set search_path = identity, pg_temp as $$
  begin
    delete from wallet_session s where s.expires_at < now() - interval '1 day';
    delete from passkey_challenge c where c.expires_at < now();
  end $$`;

const FUNCTIONS = [
  'note_passkey_challenge',
  'take_passkey_challenge',
  'wallet_passkey_by_credential',
  'open_passkey_session',
  'delete_old_wallet_sessions',
]
  .map((name) => `identity.${name}`)
  .join(', ');

const GRANTS = `
  revoke all on function ${FUNCTIONS}, identity.use_passkey from public;
  grant execute on function ${FUNCTIONS} to identity_app`;
