import { ownersTable, tenantTable, walletTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests of tenants for what persons keep in wallets (ADR 0198). Nothing that a tenant's request writes, or takes, depends on whether the
 * person has a wallet: that is looked at by route_presentations, which a sweep calls.
 */
export class IdentityPresentations1764000004750 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      DISCOVERY,
      tenantTable('identity', 'wallet_discovery', ['select', 'insert']),
      PRESENTATION,
      tenantTable('identity', 'wallet_presentation'),
      REVOCATION,
      walletTable('identity', 'wallet_consent_revocation', ['select', 'insert']),
      MAIL,
      ownersTable('identity', 'wallet_request_sent'),
      FIND,
      ROUTE,
      CODES,
      PASSKEY,
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

/** Whom a tenant asked for: the index of a document, never the document. */
const DISCOVERY = `
  create table identity.wallet_discovery (
    id uuid primary key,
    tenant_id uuid not null,
    document_index bytea not null check (octet_length(document_index) = 32),
    purpose text not null,
    claims text[] not null,
    max_age_days integer not null,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null
  );
  create index wallet_discovery_expiry on identity.wallet_discovery (expires_at)`;

/**
 * document_index: who is asked; null: anyone who answers, or it is over. wallet_id: the wallet that was asked, or that the person proved to be
 * theirs; null once it is over. browser_hash: SHA-256 of the token of the browser that proved it, by proved_by. refused_at: the person said no, and the
 * tenant sees that it expires. sealed_claims: with the key of the subject.
 */
const PRESENTATION = `
  create table identity.wallet_presentation (
    id uuid primary key,
    tenant_id uuid not null,
    tenant_name text not null,
    status text not null default 'pending' check (status in ('pending', 'approved', 'declined', 'expired', 'cancelled')),
    channel text not null check (channel in ('registered_contact', 'redirect', 'qr')),
    document_index bytea check (octet_length(document_index) = 32),
    purpose text not null,
    claims text[] not null,
    max_age_days integer not null,
    return_url text,
    external_ref text,
    metadata jsonb not null default '{}',
    hold_id uuid,
    token_hash bytea check (octet_length(token_hash) = 32),
    wallet_id uuid references identity.wallet,
    contact_index bytea,
    codes_sent integer not null default 0,
    wrong_codes integer not null default 0,
    browser_hash bytea check (octet_length(browser_hash) = 32),
    proved_by text check (proved_by in ('otp', 'passkey')),
    routed_at timestamptz(3),
    refused_at timestamptz(3),
    reported_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    ended_at timestamptz(3),
    subject_id uuid references identity.subject,
    level text check (level in ('document', 'document_face', 'document_face_liveness')),
    verified_at timestamptz(3),
    sealed_claims bytea,
    consent_revoked_at timestamptz(3),
    check ((status = 'pending') = (ended_at is null)),
    check ((status = 'approved') = (subject_id is not null)),
    check ((browser_hash is null) = (proved_by is null)),
    check (status = 'pending' or num_nonnulls(document_index, wallet_id, contact_index) = 0)
  );
  create unique index wallet_presentation_token on identity.wallet_presentation (token_hash);
  create index wallet_presentation_open on identity.wallet_presentation (expires_at) where status = 'pending';
  create index wallet_presentation_unrouted on identity.wallet_presentation (created_at)
    where status = 'pending' and channel = 'registered_contact' and routed_at is null;
  create index wallet_presentation_wallet on identity.wallet_presentation (wallet_id) where wallet_id is not null;
  create index wallet_presentation_subject on identity.wallet_presentation (subject_id) where subject_id is not null`;

/** A consent that the person has withdrawn. Consents themselves never change. */
const REVOCATION = `
  create table identity.wallet_consent_revocation (
    consent_id uuid primary key references identity.wallet_consent,
    wallet_id uuid not null references identity.wallet,
    revoked_at timestamptz(3) not null default now()
  )`;

/** wallet_request_sent: mails about requests, by wallet, so that nobody is flooded; a day long. */
const MAIL = `
  alter table identity.wallet_mail add column presentation_id uuid references identity.wallet_presentation,
    add check ((kind in ('presentation', 'consent_code')) = (presentation_id is not null));

  create table identity.wallet_request_sent (
    id uuid primary key default gen_random_uuid(),
    wallet_id uuid not null references identity.wallet,
    tenant_id uuid not null,
    sent_at timestamptz(3) not null default now()
  );
  create index wallet_request_sent_of on identity.wallet_request_sent (wallet_id, sent_at)`;

/**
 * is_open: whether anything can be done with the link. find_presentation: of the token of a link, while it is open, or for the browser that
 * proved whose the wallet is, which can see how it ended.
 */
const FIND = `
  create function identity.presentation_is_open(p identity.wallet_presentation) returns boolean
  language sql stable set search_path = identity, pg_temp
  as $$ select p.status = 'pending' and p.refused_at is null and p.wrong_codes < 5 and p.expires_at > clock_timestamp() $$;

  create function identity.find_presentation(p_token_hash bytea, p_browser_hash bytea) returns table (id uuid, tenant_id uuid) ${READS} as $$
    select p.id, p.tenant_id from wallet_presentation p
     where p.token_hash = p_token_hash
       and (presentation_is_open(p) or (p.browser_hash = p_browser_hash and p.expires_at > now() - interval '1 hour'))
  $$`;

/** Looks the asked persons up, and has those mailed who want to be asked: three times a day by one tenant, ten times in all. */
const ROUTE = `
  create function identity.route_presentations(p_limit integer) returns integer ${AS_OWNER} as $$
  declare
    v_routed integer;
  begin
    with due as (
      select p.id, p.tenant_id, p.document_index, p.expires_at from wallet_presentation p
       where p.status = 'pending' and p.channel = 'registered_contact' and p.routed_at is null
       order by p.created_at limit p_limit for no key update skip locked
    ), asked as (
      select d.id, d.tenant_id, w.wallet_id from due d
        join wallet w on w.document_index = d.document_index and w.discoverable and w.erased_at is null
       where d.expires_at > now()
         and (select count(*) < 10 and count(*) filter (where s.tenant_id = d.tenant_id) < 3
                from wallet_request_sent s where s.wallet_id = w.wallet_id and s.sent_at > now() - interval '1 day')
    ), noted as (
      insert into wallet_request_sent (wallet_id, tenant_id) select a.wallet_id, a.tenant_id from asked a
    ), mailed as (
      insert into wallet_mail (kind, wallet_id, presentation_id) select 'presentation', a.wallet_id, a.id from asked a
    )
    update wallet_presentation p set routed_at = now(), wallet_id = a.wallet_id
      from due d left join asked a on a.id = d.id where p.id = d.id;
    get diagnostics v_routed = row_count;
    return v_routed;
  end $$;

  create function identity.presentation_mail(p_id uuid, p_token_hash bytea)
  returns table (tenant_name text, purpose text, expires_at timestamptz) ${WRITES} as $$
    update wallet_presentation p set token_hash = p_token_hash
     where p.id = p_id and presentation_is_open(p) and p.browser_hash is null
    returning p.tenant_name, p.purpose, p.expires_at
  $$`;

/**
 * The codes of a link. A contact without a wallet costs the same as any other. check_consent_code: ok, wrong, locked (the contact, for so
 * many seconds) or gone (the link); five wrong ones end the link.
 */
const CODES = `
  create function identity.consent_contact(p_id uuid) returns bytea ${READS} as $$
    select w.contact_index from wallet_presentation p join wallet w on w.wallet_id = p.wallet_id where p.id = p_id
  $$;

  create function identity.request_consent_code(p_id uuid, p_contact bytea, p_digest bytea) returns void ${AS_OWNER} as $$
  declare
    v_presentation wallet_presentation;
  begin
    select * into v_presentation from wallet_presentation p where p.id = p_id for no key update;
    if not presentation_is_open(v_presentation) then
      return;
    end if;
    update wallet_presentation p set contact_index = p_contact where p.id = p_id;
    if v_presentation.codes_sent < 5 and note_code_request(p_digest) then
      update wallet_presentation p set codes_sent = p.codes_sent + 1 where p.id = p_id;
      insert into wallet_mail (kind, contact_index, presentation_id) values ('consent_code', p_contact, p_id);
    end if;
  end $$;

  create function identity.keep_consent_code(
    p_id uuid, p_contact bytea, p_digest bytea, p_code_hash bytea, p_decoy_hash bytea, p_ttl_seconds integer,
    out wallet_id uuid, out tenant_name text
  ) ${AS_OWNER} as $$
  begin
    select w.wallet_id, p.tenant_name into wallet_id, tenant_name
      from wallet_presentation p left join wallet w on w.contact_index = p_contact
     where p.id = p_id and presentation_is_open(p) and p.contact_index = p_contact;
    perform keep_code(p_digest, case when wallet_id is null then p_decoy_hash else p_code_hash end, p_ttl_seconds);
  end $$;

  create function identity.check_consent_code(
    p_id uuid, p_contact bytea, p_digest bytea, p_code_hashes bytea[], p_browser_hash bytea, out outcome text, out retry_after integer
  ) ${AS_OWNER} as $$
  declare
    v_presentation wallet_presentation;
    v_wallet uuid;
  begin
    select * into v_presentation from wallet_presentation p where p.id = p_id for no key update;
    if not presentation_is_open(v_presentation) or v_presentation.contact_index is distinct from p_contact then
      outcome := 'gone';
      return;
    end if;
    v_wallet := (select w.wallet_id from wallet w where w.contact_index = p_contact);
    select c.outcome, c.retry_after into outcome, retry_after from check_code(p_digest, p_code_hashes, v_wallet is not null) c;
    if outcome = 'wrong' then
      update wallet_presentation p set wrong_codes = p.wrong_codes + 1 where p.id = p_id;
    elsif outcome = 'ok' then
      perform use_code(p_digest);
      update wallet_presentation p set wallet_id = v_wallet, browser_hash = p_browser_hash, proved_by = 'otp' where p.id = p_id;
    end if;
  end $$`;

/** prove_by_passkey: of a passkey whose signature for the request is right; false for one of another wallet than that which was asked. */
const PASSKEY = `
  create function identity.prove_by_passkey(
    p_id uuid, p_passkey_id uuid, p_sign_count bigint, p_backed_up boolean, p_browser_hash bytea
  ) returns boolean ${AS_OWNER} as $$
  declare
    v_presentation wallet_presentation;
    v_wallet uuid;
  begin
    select * into v_presentation from wallet_presentation p where p.id = p_id for no key update;
    v_wallet := use_passkey(p_passkey_id, p_sign_count, p_backed_up);
    update wallet_presentation p set wallet_id = v_wallet, browser_hash = p_browser_hash, proved_by = 'passkey'
     where p.id = p_id and presentation_is_open(v_presentation) and v_wallet is not null
       and (p.channel <> 'registered_contact' or p.wallet_id = v_wallet);
    return found;
  end $$`;

/** presentation_lag: how long the longest overdue work of the sweep is overdue. */
const SWEEP = `
  create function identity.overdue_presentations(p_limit integer) returns table (tenant_id uuid, id uuid) ${READS} as $$
    select p.tenant_id, p.id from wallet_presentation p where p.status = 'pending' and p.expires_at <= now()
     order by p.expires_at limit p_limit
  $$;

  create function identity.presentation_lag() returns double precision ${READS} as $$
    select coalesce(extract(epoch from now() - least(
      (select min(p.expires_at) from wallet_presentation p where p.status = 'pending' and p.expires_at <= now()),
      (select min(p.created_at) from wallet_presentation p
        where p.status = 'pending' and p.channel = 'registered_contact' and p.routed_at is null))), 0)::double precision
  $$;

  create function identity.delete_old_discoveries() returns void ${AS_OWNER} as $$
  begin
    delete from wallet_discovery d where d.expires_at < now() - interval '1 day';
    delete from wallet_request_sent s where s.sent_at < now() - interval '1 day';
  end $$`;

const FUNCTIONS = [
  'find_presentation', 'route_presentations', 'presentation_mail', 'consent_contact', 'request_consent_code', 'keep_consent_code',
  'check_consent_code', 'prove_by_passkey', 'overdue_presentations', 'presentation_lag', 'delete_old_discoveries',
]
  .map((name) => `identity.${name}`)
  .join(', '); // prettier-ignore

const GRANTS = `
  revoke all on function ${FUNCTIONS}, identity.presentation_is_open from public;
  grant execute on function ${FUNCTIONS} to identity_app`;
