import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests that wallet apps answer with a credential (OpenID4VP, ADR 0217). */
export class IdentityPresentationsByApps1764000005130 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMNS, FIND, CREDENTIAL, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** app_token_hash: SHA-256 of the token in the request's address; app_request: the signed request; app_key_sealed: what opens answers to it. */
const COLUMNS = `
  alter table identity.wallet_presentation
    add column app_token_hash bytea check (octet_length(app_token_hash) = 32),
    add column app_request text,
    add column app_key_sealed bytea,
    add check (num_nulls(app_token_hash, app_request, app_key_sealed) in (0, 3));
  create unique index wallet_presentation_app on identity.wallet_presentation (app_token_hash) where app_token_hash is not null`;

const READS = 'language sql stable security definer set search_path = identity, pg_temp';

const FIND = `
  create function identity.find_presentation_of_app(p_token_hash bytea) returns table (id uuid, tenant_id uuid) ${READS} as $$
    select p.id, p.tenant_id from wallet_presentation p where p.app_token_hash = p_token_hash and presentation_is_open(p)
  $$`;

/** Whose the copy of a credential is whose status stands at a place, and its status; nothing once the wallet is erased. */
const CREDENTIAL = `
  create function identity.presented_credential(p_list_id uuid, p_idx integer)
  returns table (wallet_id uuid, verification_id uuid, status integer) ${READS} as $$
    select c.wallet_id, c.verification_id, greatest(c.status, e.status)::integer
      from wallet_credential_copy y join wallet_credential c on c.id = y.credential_id
      left join status_entry e on e.list_id = y.list_id and e.idx = y.idx
     where y.list_id = p_list_id and y.idx = p_idx
  $$`;

const GRANTS = `
  revoke all on function identity.find_presentation_of_app, identity.presented_credential from public;
  grant execute on function identity.find_presentation_of_app, identity.presented_credential to identity_app`;
