import { ownersTable, walletTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Issuing credentials by OpenID4VCI (ADR 0207): offers, the tokens that they are redeemed for, and nonces that were used. */
export class IdentityCredentialOffers1764000004930 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      OFFER,
      walletTable('identity', 'credential_offer', ['select', 'insert', 'update', 'delete']),
      NONCE,
      ownersTable('identity', 'credential_nonce'),
      MAIL,
      REDEEM,
      NONCES,
      SWEEP,
      GRANTS,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = identity, pg_temp';
const READS = 'language sql stable security definer set search_path = identity, pg_temp';
const WRITES = 'language sql volatile security definer set search_path = identity, pg_temp';

/**
 * Hashes are SHA-256 of 256 random bits; tx_code_hash is an HMAC, of the code that is mailed. redeemed_at: the code was exchanged for an access
 * token; used_at: a credential was issued for that. Each happens once.
 */
const OFFER = `
  create table identity.credential_offer (
    id uuid primary key,
    wallet_id uuid not null references identity.wallet,
    offer_hash bytea not null check (octet_length(offer_hash) = 32),
    code_hash bytea not null check (octet_length(code_hash) = 32),
    tx_code_hash bytea check (octet_length(tx_code_hash) = 32),
    wrong_codes integer not null default 0,
    access_hash bytea check (octet_length(access_hash) = 32),
    access_expires_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    redeemed_at timestamptz(3),
    used_at timestamptz(3),
    check (num_nulls(redeemed_at, access_hash, access_expires_at) in (0, 3)),
    check (used_at is null or redeemed_at is not null)
  );
  create unique index credential_offer_offer on identity.credential_offer (offer_hash);
  create unique index credential_offer_code on identity.credential_offer (code_hash);
  create unique index credential_offer_access on identity.credential_offer (access_hash);
  create index credential_offer_of on identity.credential_offer (wallet_id, created_at);
  create index credential_offer_created on identity.credential_offer (created_at)`;

/** Nonces that were used, until they would have expired: unused ones are not stored. */
const NONCE = `
  create table identity.credential_nonce (
    nonce_hash bytea primary key check (octet_length(nonce_hash) = 32),
    expires_at timestamptz(3) not null
  );
  create index credential_nonce_expiry on identity.credential_nonce (expires_at)`;

/** The kinds are those of the code (WalletMailKind); a mail with a code is useless after ten minutes, whatever the code is for. */
const MAIL = `
  alter table identity.wallet_mail drop constraint wallet_mail_kind_check,
    add constraint wallet_mail_kind_check check (kind ~ '^[a-z_]{1,40}$'),
    add column credential_offer_id uuid references identity.credential_offer on delete cascade,
    add check ((kind = 'credential_code') = (credential_offer_id is not null));

  create or replace function identity.claim_wallet_mail() returns setof identity.wallet_mail ${AS_OWNER} as $$
  begin
    delete from wallet_mail m
     where m.created_at < now() - case when m.kind like '%\\_code' then interval '10 minutes' else interval '7 days' end;
    return query
      update wallet_mail m
         set attempts = m.attempts + 1, due_at = now() + least(interval '15 seconds' * power(2, least(m.attempts, 8)), interval '1 hour')
       where m.id = (select d.id from wallet_mail d where d.due_at <= now() order by d.due_at limit 1 for update skip locked)
      returning m.*;
  end $$;

  create function identity.add_credential_code_mail(p_offer_id uuid, p_wallet_id uuid) returns void ${WRITES} as $$
    insert into wallet_mail (kind, wallet_id, credential_offer_id) values ('credential_code', p_wallet_id, p_offer_id)
  $$`;

/**
 * credential_offer_is_open: of an address. redeem_credential_offer: whether the code was exchanged; the row is locked first, so that of all
 * who present it at once one gets a token, and of guesses at the mailed code five are looked at. credential_grant: whose wallet an access
 * token is for.
 */
const REDEEM = `
  create function identity.credential_offer_is_open(p_offer_hash bytea) returns boolean ${READS} as $$
    select exists (select from credential_offer o
                    where o.offer_hash = p_offer_hash and o.redeemed_at is null and o.wrong_codes < 5 and o.expires_at > clock_timestamp())
  $$;

  create function identity.redeem_credential_offer(p_code_hash bytea, p_tx_code_hashes bytea[], p_access_hash bytea, p_seconds integer)
  returns text ${AS_OWNER} as $$
  declare
    v_now timestamptz;
    v_offer credential_offer;
  begin
    select * into v_offer from credential_offer o where o.code_hash = p_code_hash for update;
    v_now := clock_timestamp();
    if v_offer.id is null or v_offer.redeemed_at is not null or v_offer.wrong_codes >= 5 or v_offer.expires_at <= v_now then
      return 'invalid';
    end if;
    if v_offer.tx_code_hash is null or not v_offer.tx_code_hash = any (p_tx_code_hashes) then
      update credential_offer o set wrong_codes = o.wrong_codes + 1 where o.id = v_offer.id;
      return 'wrong_code';
    end if;
    update credential_offer o
       set redeemed_at = v_now, access_hash = p_access_hash, access_expires_at = v_now + make_interval(secs => p_seconds), tx_code_hash = null
     where o.id = v_offer.id;
    return 'ok';
  end $$;

  create function identity.credential_grant(p_access_hash bytea) returns table (offer_id uuid, wallet_id uuid) ${READS} as $$
    select o.id, o.wallet_id from credential_offer o
     where o.access_hash = p_access_hash and o.used_at is null and o.access_expires_at > clock_timestamp()
  $$`;

/** burn_credential_nonce: false when it was used before. */
const NONCES = `
  create function identity.burn_credential_nonce(p_nonce_hash bytea, p_expires_at timestamptz) returns boolean ${AS_OWNER} as $$
  begin
    insert into credential_nonce (nonce_hash, expires_at) values (p_nonce_hash, p_expires_at) on conflict do nothing;
    return found;
  end $$`;

const SWEEP = `
  create function identity.delete_old_issuance() returns void ${AS_OWNER} as $$
  begin
    delete from credential_offer o where o.created_at < now() - interval '1 day';
    delete from credential_nonce n where n.expires_at < now() - interval '5 minutes';
    delete from wallet_credential c where c.expires_at < now() - interval '30 days';
  end $$`;

const FUNCTIONS = [
  'add_credential_code_mail', 'credential_offer_is_open', 'redeem_credential_offer', 'credential_grant', 'burn_credential_nonce',
  'delete_old_issuance',
].map((name) => `identity.${name}`).join(', '); // prettier-ignore

const GRANTS = `
  revoke all on function ${FUNCTIONS} from public;
  grant execute on function ${FUNCTIONS} to identity_app`;
