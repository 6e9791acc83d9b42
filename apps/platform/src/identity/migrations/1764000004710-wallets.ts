import { signInCodeFunctions, signInCodeTable } from '@constancia/mail';
import { appendOnly, ownersTable, tenantTable, walletTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Wallets of persons (ADR 0197). Rows of a wallet belong to it and to no tenant. What an index is: HMAC-SHA-256 with a key that KMS wraps,
 * so that a person can be found by document or contact without either being stored.
 */
export class IdentityWallets1764000004710 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      INDEX_KEY,
      ownersTable('identity', 'wallet_index_key'),
      WALLET,
      walletTable('identity', 'wallet'),
      VERIFICATION,
      walletTable('identity', 'wallet_verification', ['select', 'insert', 'delete']),
      CONSENT,
      walletTable('identity', 'wallet_consent', ['select', 'insert']),
      appendOnly('identity', 'wallet_consent'),
      OFFER,
      tenantTable('identity', 'wallet_offer', ['select', 'insert', 'update', 'delete']),
      MAIL,
      ownersTable('identity', 'wallet_mail'),
      signInCodeTable('identity'),
      ownersTable('identity', 'sign_in_code'),
      signInCodeFunctions('identity'),
      KEYS,
      OFFERS,
      MAILS,
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

/** The key of the indexes, as KMS wrapped it: one for the deployment, for good. */
const INDEX_KEY = `
  create table identity.wallet_index_key (
    only_one boolean primary key default true check (only_one),
    wrapped_key bytea not null
  )`;

/** sealed: the contact. An erased wallet keeps its id, so that its consents still say what was agreed to and when. */
const WALLET = `
  create table identity.wallet (
    wallet_id uuid primary key,
    document_index bytea check (octet_length(document_index) = 32),
    contact_index bytea check (octet_length(contact_index) = 32),
    wrapped_key bytea,
    sealed bytea,
    locale text not null check (locale in ('es-CO', 'en')),
    discoverable boolean not null default false,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    erased_at timestamptz(3),
    receipt_id uuid,
    check ((erased_at is null) = (receipt_id is null)),
    check (num_nulls(document_index, contact_index, wrapped_key, sealed) = case when erased_at is null then 0 else 4 end)
  );
  create unique index wallet_document on identity.wallet (document_index);
  create unique index wallet_contact on identity.wallet (contact_index)`;

const VERIFICATION = `
  create table identity.wallet_verification (
    id uuid primary key,
    wallet_id uuid not null references identity.wallet,
    level text not null check (level in ('document', 'document_face', 'document_face_liveness')),
    sealed bytea not null,
    verified_at timestamptz(3) not null,
    added_at timestamptz(3) not null default now()
  );
  create index wallet_verification_of on identity.wallet_verification (wallet_id, id)`;

/** sealed_origin: for whom the person was verified, IP address, user agent; opens no more once the wallet's key is destroyed. */
const CONSENT = `
  create table identity.wallet_consent (
    id uuid primary key,
    wallet_id uuid not null references identity.wallet,
    kind text not null check (kind in ('keep', 'share')),
    text_version text not null,
    locale text not null check (locale in ('es-CO', 'en')),
    text_sha256 bytea not null check (octet_length(text_sha256) = 32),
    sealed_origin bytea not null,
    given_at timestamptz(3) not null
  );
  create index wallet_consent_of on identity.wallet_consent (wallet_id, id)`;

/**
 * A person who ticked "keep my verification" at the end of a session. sealed: the address and the origin of the consent, with the key of
 * the tenant's subject. Deleted with the subject, and after some days.
 */
const OFFER = `
  create table identity.wallet_offer (
    session_id uuid primary key references identity.capture,
    tenant_id uuid not null,
    subject_id uuid not null,
    state text not null check (state in ('code_sent', 'confirmed', 'settled')),
    code_digest bytea not null check (octet_length(code_digest) = 32),
    sealed bytea not null,
    text_version text not null,
    locale text not null check (locale in ('es-CO', 'en')),
    text_sha256 bytea not null check (octet_length(text_sha256) = 32),
    given_at timestamptz(3) not null default now(),
    confirmed_at timestamptz(3),
    settled_at timestamptz(3)
  );
  create index wallet_offer_confirmed on identity.wallet_offer (confirmed_at) where state = 'confirmed';
  create index wallet_offer_given on identity.wallet_offer (given_at)`;

/** Mails to persons that wait to be sent: by the session of an offer, by a wallet, or by the contact that asked for a code. */
const MAIL = `
  create table identity.wallet_mail (
    id uuid primary key default gen_random_uuid(),
    kind text not null check (kind in (
      'offer_code', 'address_taken', 'kept', 'other_address', 'sign_in_code', 'presentation', 'consent_code',
      'passkey_added', 'passkey_removed', 'passkey_refused'
    )),
    tenant_id uuid,
    session_id uuid references identity.wallet_offer on delete cascade,
    wallet_id uuid references identity.wallet,
    contact_index bytea,
    created_at timestamptz not null default now(),
    due_at timestamptz not null default now(),
    attempts integer not null default 0,
    check (num_nonnulls(session_id, wallet_id, contact_index) = 1),
    check ((session_id is null) = (tenant_id is null))
  );
  create index wallet_mail_due on identity.wallet_mail (due_at)`;

/** wallet_index_key: the wrapped key, which the first caller gives. */
const KEYS = `
  create function identity.wallet_index_key(p_new bytea) returns bytea ${AS_OWNER} as $$
  begin
    insert into wallet_index_key (wrapped_key) select p_new where p_new is not null on conflict do nothing;
    return (select k.wrapped_key from wallet_index_key k);
  end $$`;

/** wallets_of: the wallets that have the document, and the contact. Both null: the person has none, and the address is free. */
const OFFERS = `
  create function identity.wallets_of(p_document bytea, p_contact bytea) returns table (of_document uuid, of_contact uuid) ${READS} as $$
    select (select w.wallet_id from wallet w where w.document_index = p_document),
           (select w.wallet_id from wallet w where w.contact_index = p_contact)
  $$;

  create function identity.request_offer_code(p_tenant_id uuid, p_session_id uuid, p_digest bytea) returns void ${AS_OWNER} as $$
  begin
    if note_code_request(p_digest) then
      insert into wallet_mail (kind, tenant_id, session_id) values ('offer_code', p_tenant_id, p_session_id);
    end if;
  end $$;

  create function identity.keep_offer_code(p_digest bytea, p_code_hash bytea, p_ttl_seconds integer) returns void ${WRITES}
  as $$ select keep_code(p_digest, p_code_hash, p_ttl_seconds) $$;

  create function identity.confirm_offer(p_session_id uuid, p_digest bytea, p_code_hashes bytea[], out outcome text, out retry_after integer)
  ${AS_OWNER} as $$
  begin
    select * into outcome, retry_after from check_code(p_digest, p_code_hashes, true);
    if outcome = 'ok' then
      perform use_code(p_digest);
      update wallet_offer o set state = 'confirmed', confirmed_at = clock_timestamp()
       where o.session_id = p_session_id and o.code_digest = p_digest and o.state = 'code_sent';
      if not found then
        outcome := 'wrong';
      end if;
    end if;
  end $$;

  create function identity.confirmed_offers(p_limit integer) returns table (tenant_id uuid, session_id uuid) ${READS} as $$
    select o.tenant_id, o.session_id from wallet_offer o where o.state = 'confirmed' order by o.confirmed_at limit p_limit
  $$;

  create function identity.wallet_offer_lag() returns double precision ${READS} as $$
    select coalesce(extract(epoch from now() - min(o.confirmed_at)), 0)::double precision from wallet_offer o where o.state = 'confirmed'
  $$;

  create function identity.delete_old_offers(p_days integer) returns void ${AS_OWNER} as $$
  begin
    delete from wallet_offer o where o.given_at < now() - make_interval(days => p_days);
    delete from sign_in_code c where c.used_at < now() - interval '1 day' and coalesce(c.locked_until < now(), true);
  end $$`;

/** A code is useless after 10 minutes; after 7 days a mail is given up. */
const MAILS = `
  create function identity.add_wallet_mail(p_kind text, p_tenant_id uuid, p_session_id uuid, p_wallet_id uuid) returns void ${WRITES} as $$
    insert into wallet_mail (kind, tenant_id, session_id, wallet_id) values (p_kind, p_tenant_id, p_session_id, p_wallet_id)
  $$;

  create function identity.claim_wallet_mail() returns setof identity.wallet_mail ${AS_OWNER} as $$
  begin
    delete from wallet_mail m
     where m.created_at < now() - case when m.kind in ('offer_code', 'sign_in_code', 'consent_code') then interval '10 minutes' else interval '7 days' end;
    return query
      update wallet_mail m
         set attempts = m.attempts + 1, due_at = now() + least(interval '15 seconds' * power(2, least(m.attempts, 8)), interval '1 hour')
       where m.id = (select d.id from wallet_mail d where d.due_at <= now() order by d.due_at limit 1 for update skip locked)
      returning m.*;
  end $$;

  create function identity.finish_wallet_mail(p_id uuid) returns void ${WRITES} as $$ delete from wallet_mail where id = p_id $$;

  create function identity.wallet_mail_lag() returns double precision ${READS} as $$
    select coalesce(extract(epoch from now() - min(m.created_at)), 0)::double precision from wallet_mail m
  $$`;

const FUNCTIONS = [
  'wallet_index_key', 'wallets_of', 'request_offer_code', 'keep_offer_code', 'confirm_offer', 'confirmed_offers', 'wallet_offer_lag',
  'delete_old_offers', 'add_wallet_mail', 'claim_wallet_mail', 'finish_wallet_mail', 'wallet_mail_lag',
].map((name) => `identity.${name}`).join(', '); // prettier-ignore

const GRANTS = `
  revoke all on function ${FUNCTIONS} from public;
  grant execute on function ${FUNCTIONS} to identity_app`;
