import { walletTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of wallets: a token is good while its session is there and open. */
export class IdentityWalletSessions1764000004720 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [SESSION, walletTable('identity', 'wallet_session'), CODES, RESOLVE, GRANTS])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = identity, pg_temp';

const SESSION = `
  create table identity.wallet_session (
    id uuid primary key,
    wallet_id uuid not null references identity.wallet,
    method text not null check (method in ('code', 'passkey')),
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    ended_at timestamptz(3)
  );
  create index wallet_session_of on identity.wallet_session (wallet_id);
  create index wallet_session_expiry on identity.wallet_session (expires_at)`;

/**
 * keep_wallet_code: for a contact without a wallet the other hash is kept, which no code has; answers the wallet, or null. open_wallet_session: ok, wrong
 * or locked; a contact without a wallet is counted as any other.
 */
const CODES = `
  create function identity.request_wallet_code(p_contact bytea) returns void ${AS_OWNER} as $$
  begin
    if note_code_request(p_contact) then
      insert into wallet_mail (kind, contact_index) values ('sign_in_code', p_contact);
    end if;
  end $$;

  create function identity.keep_wallet_code(p_contact bytea, p_code_hash bytea, p_decoy_hash bytea, p_ttl_seconds integer) returns uuid
  ${AS_OWNER} as $$
  declare
    v_wallet uuid := (select w.wallet_id from wallet w where w.contact_index = p_contact);
  begin
    perform keep_code(p_contact, case when v_wallet is null then p_decoy_hash else p_code_hash end, p_ttl_seconds);
    return v_wallet;
  end $$;

  create function identity.open_wallet_session(
    p_contact bytea, p_code_hashes bytea[], p_session_id uuid, p_seconds integer,
    out outcome text, out retry_after integer, out wallet_id uuid, out expires_at timestamptz
  ) ${AS_OWNER} as $$
  begin
    select w.wallet_id into wallet_id from wallet w where w.contact_index = p_contact for share;
    select c.outcome, c.retry_after into outcome, retry_after from check_code(p_contact, p_code_hashes, wallet_id is not null) c;
    if outcome <> 'ok' then
      wallet_id := null;
      return;
    end if;
    perform use_code(p_contact);
    expires_at := date_trunc('second', clock_timestamp()) + make_interval(secs => p_seconds);
    insert into wallet_session (id, wallet_id, method, expires_at)
    values (p_session_id, open_wallet_session.wallet_id, 'code', open_wallet_session.expires_at);
  end $$`;

const RESOLVE = `
  create function identity.wallet_session_is_open(p_session_id uuid, p_wallet_id uuid) returns boolean
  language sql stable security definer set search_path = identity, pg_temp as $$
    select exists (
      select from wallet_session s join wallet w on w.wallet_id = s.wallet_id and w.erased_at is null
       where s.id = p_session_id and s.wallet_id = p_wallet_id and s.ended_at is null and s.expires_at > now())
  $$`;

const FUNCTIONS = ['request_wallet_code', 'keep_wallet_code', 'open_wallet_session', 'wallet_session_is_open']
  .map((name) => `identity.${name}`)
  .join(', ');

const GRANTS = `
  revoke all on function ${FUNCTIONS} from public;
  grant execute on function ${FUNCTIONS} to identity_app`;
