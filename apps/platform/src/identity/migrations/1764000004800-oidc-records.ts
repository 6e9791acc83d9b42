import { ownersTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the OpenID provider remembers: sessions, interactions, grants, codes, tokens, pushed requests. */
export class IdentityOidcRecords1764000004800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [RECORD, ownersTable('identity', 'oidc_record'), FUNCTIONS, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = identity, pg_temp';
const READS = 'language sql stable security definer set search_path = identity, pg_temp';
const WRITES = 'language sql volatile security definer set search_path = identity, pg_temp';

/** Ids are credentials, so their SHA-256 is kept. */
const RECORD = `
  create table identity.oidc_record (
    model text not null,
    id_hash bytea not null check (octet_length(id_hash) = 32),
    uid_hash bytea check (octet_length(uid_hash) = 32),
    grant_hash bytea check (octet_length(grant_hash) = 32),
    sealed bytea not null,
    consumed_at timestamptz(3),
    expires_at timestamptz(3) not null,
    primary key (model, id_hash)
  );
  create index oidc_record_uid on identity.oidc_record (model, uid_hash) where uid_hash is not null;
  create index oidc_record_grant on identity.oidc_record (grant_hash) where grant_hash is not null;
  create index oidc_record_expiry on identity.oidc_record (expires_at)`;

/**
 * put_oidc_record: a record that was consumed stays so. add_oidc_record: false when it is there already. consume_oidc_record: true for one
 * caller alone. end_oidc_grant: the grant and all that was issued on it. delete_old_oidc_records: an hour after they expired, until when a consumed code that comes again is still recognized.
 */
const FUNCTIONS = `
  create function identity.put_oidc_record(
    p_model text, p_id bytea, p_uid bytea, p_grant bytea, p_sealed bytea, p_seconds integer
  ) returns void ${WRITES} as $$
    insert into oidc_record (model, id_hash, uid_hash, grant_hash, sealed, expires_at)
    values (p_model, p_id, p_uid, p_grant, p_sealed, clock_timestamp() + make_interval(secs => p_seconds))
    on conflict (model, id_hash) do update
       set uid_hash = excluded.uid_hash, grant_hash = excluded.grant_hash, sealed = excluded.sealed, expires_at = excluded.expires_at
  $$;

  create function identity.add_oidc_record(p_model text, p_id bytea, p_sealed bytea, p_seconds integer) returns boolean ${AS_OWNER} as $$
  begin
    insert into oidc_record (model, id_hash, sealed, expires_at)
    values (p_model, p_id, p_sealed, clock_timestamp() + make_interval(secs => p_seconds))
    on conflict (model, id_hash) do nothing;
    return found;
  end $$;

  create function identity.oidc_record(p_model text, p_id bytea) returns setof identity.oidc_record ${READS} as $$
    select * from oidc_record r where r.model = p_model and r.id_hash = p_id
  $$;

  create function identity.oidc_record_by_uid(p_model text, p_uid bytea) returns setof identity.oidc_record ${READS} as $$
    select * from oidc_record r where r.model = p_model and r.uid_hash = p_uid order by r.expires_at desc limit 1
  $$;

  create function identity.consume_oidc_record(p_model text, p_id bytea) returns boolean ${AS_OWNER} as $$
  begin
    update oidc_record r set consumed_at = clock_timestamp() where r.model = p_model and r.id_hash = p_id and r.consumed_at is null;
    return found;
  end $$;

  create function identity.delete_oidc_record(p_model text, p_id bytea) returns void ${WRITES} as $$
    delete from oidc_record r where r.model = p_model and r.id_hash = p_id
  $$;

  create function identity.revoke_oidc_grant(p_model text, p_grant bytea) returns void ${WRITES} as $$
    delete from oidc_record r where r.model = p_model and r.grant_hash = p_grant
  $$;

  create function identity.end_oidc_grant(p_grant bytea) returns void ${WRITES} as $$
    delete from oidc_record r where r.grant_hash = p_grant or (r.model = 'Grant' and r.id_hash = p_grant)
  $$;

  create function identity.delete_old_oidc_records(p_limit integer) returns integer ${AS_OWNER} as $$
  declare
    v_count integer;
  begin
    delete from oidc_record r using (
      select model, id_hash from oidc_record where expires_at < now() - interval '1 hour' limit p_limit for update skip locked
    ) old where r.model = old.model and r.id_hash = old.id_hash;
    get diagnostics v_count = row_count;
    return v_count;
  end $$`;

const NAMES = [
  'put_oidc_record', 'add_oidc_record', 'oidc_record(text, bytea)', 'oidc_record_by_uid', 'consume_oidc_record', 'delete_oidc_record',
  'revoke_oidc_grant', 'end_oidc_grant', 'delete_old_oidc_records',
].map((name) => `identity.${name}`).join(', '); // prettier-ignore

const GRANTS = `
  revoke all on function ${NAMES} from public;
  grant execute on function ${NAMES} to identity_app`;
