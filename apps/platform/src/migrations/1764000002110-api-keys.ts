import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Several API keys per tenant. A row of platform.api_key is one secret; key_id is the key that it is a secret of, which rotations keep.
 * The rows of before are secrets of one key, the default one.
 */
export class ApiKeys1764000002110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const steps = [COLUMNS, FILL, USES, NOTICES, REPLACE_SECRET, CREATE, CHANGE, DELETE, RESOLVE, RECORD_USES, GRANTS];
    for (const sql of steps) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

const COLUMNS = `
  alter table platform.api_key
    add column key_id uuid,
    add column is_default boolean not null default false,
    add column created_by jsonb,
    add column external_ref text,
    add column metadata jsonb not null default '{}';
  update platform.api_key k
     set is_default = true,
         key_id = (select f.id from platform.api_key f where f.tenant_id = k.tenant_id order by f.created_at, f.id limit 1);
  alter table platform.api_key add constraint api_key_of_a_key check (key_id is not null);
  create index api_key_secrets on platform.api_key (tenant_id, key_id)`;

/** The first key of a tenant is its default key, also when a process of the former release writes it, which knows no other. */
const FILL = `
  create function platform.fill_api_key() returns trigger ${AS_OWNER} as $$
  begin
    if new.key_id is null then
      new.key_id := new.id;
      new.is_default := not exists (select from api_key k where k.tenant_id = new.tenant_id);
    end if;
    return new;
  end $$;
  create trigger fill before insert on platform.api_key for each row execute function platform.fill_api_key();
  revoke all on function platform.fill_api_key from public`;

/** When and from where keys were used, and refused outside their networks. Apart from the keys, whose rows are read and locked by others. */
const USES = `
  create table platform.api_key_use (
    key_id uuid primary key,
    tenant_id uuid not null references platform.tenant,
    used_at timestamptz,
    used_ip text,
    rejected bigint not null default 0,
    rejected_at timestamptz,
    rejected_ip text
  );
  alter table platform.api_key_use enable row level security;
  alter table platform.api_key_use force row level security;
  create policy tenant_rows on platform.api_key_use to platform_app
    using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
  create policy owner_rows on platform.api_key_use to platform_owner using (true) with check (true);
  grant select on platform.api_key_use to platform_app`;

/** As before, by key: another key of the tenant is no former secret of this one. The name tells which key it was. */
const NOTICES = `
  alter table platform.owner_notice drop constraint owner_notice_kind_check;
  alter table platform.owner_notice add constraint owner_notice_kind_check check (
    kind in ('key_created', 'key_changed', 'key_rotated', 'key_recovered', 'key_deleted', 'webhook_secret_rotated', 'owner_email_proof',
             'endpoint_created', 'endpoint_secret_rotated', 'endpoint_deleted')
  );
  create function platform.named_key(k platform.api_key) returns text
  language sql immutable set search_path = pg_catalog, pg_temp as $$ select k.prefix || ' (' || k.name || ')' $$;

  create or replace function platform.note_api_key() returns trigger ${AS_OWNER} as $$
  begin
    if exists (select from api_key k where k.tenant_id = new.tenant_id and k.id <> new.id)
       and not exists (select from owner_notice n
                        where n.tenant_id = new.tenant_id and n.kind = 'key_recovered' and n.created_at = now()) then
      insert into owner_notice (tenant_id, kind, detail)
      select new.tenant_id,
             case when exists (select from api_key k where k.tenant_id = new.tenant_id and k.key_id = new.key_id and k.id <> new.id)
                  then 'key_rotated' else 'key_created' end,
             named_key(new);
    end if;
    return null;
  end $$;
  revoke all on function platform.named_key from public`;

/**
 * Puts a new secret in the place of the active one of a key; the caller holds the lock on the tenant's row. The former secret stays valid
 * for the grace, at most until the key expires; a grace of 0 also ends earlier ones. Other keys stay as they are. Without networks when
 * the key was recovered: its owner may have shut itself out. replace_api_key is what the functions for rotation and recovery of the
 * former release call: the default key.
 */
const REPLACE_SECRET = `
  create function platform.replace_secret(
    p_tenant_id uuid, p_of uuid, p_id uuid, p_key_hash bytea, p_key_prefix text, p_grace_seconds integer, p_everywhere boolean,
    out rotated_at timestamptz, out previous_key_expires_at timestamptz
  ) ${AS_OWNER}
  as $$
  declare
    v_changed bytea;
    v_former api_key;
  begin
    select k.* into strict v_former from api_key k
     where k.tenant_id = p_tenant_id and k.key_id = p_of and k.status = 'active';
    rotated_at := date_trunc('milliseconds', clock_timestamp());
    previous_key_expires_at := least(replace_secret.rotated_at + make_interval(secs => p_grace_seconds), v_former.expires_at);
    for v_changed in
      update api_key k
         set status = case when p_grace_seconds = 0 then 'revoked' else 'expiring' end,
             expires_at = replace_secret.previous_key_expires_at,
             rotated_at = replace_secret.rotated_at
       where k.tenant_id = p_tenant_id and k.key_id = p_of
         and (k.status = 'active'
              or (p_grace_seconds = 0 and k.status = 'expiring' and k.expires_at > replace_secret.rotated_at))
      returning k.key_hash
    loop
      perform pg_notify('api_key_changed', encode(v_changed, 'hex'));
    end loop;
    insert into api_key (id, tenant_id, key_hash, prefix, status, created_at, expires_at, key_id, is_default, name, scopes, allowed_cidrs,
                         created_by, external_ref, metadata)
    values (p_id, p_tenant_id, p_key_hash, p_key_prefix, 'active', replace_secret.rotated_at, v_former.expires_at, p_of, v_former.is_default,
            v_former.name, v_former.scopes, case when not p_everywhere then v_former.allowed_cidrs end,
            v_former.created_by, v_former.external_ref, v_former.metadata);
  end $$;

  create function platform.default_key(p_tenant_id uuid) returns uuid
  language sql stable security definer set search_path = platform, pg_temp as $$
    select k.key_id from api_key k where k.tenant_id = p_tenant_id and k.is_default limit 1
  $$;

  create or replace function platform.replace_api_key(
    p_tenant_id uuid, p_key_id uuid, p_key_hash bytea, p_key_prefix text, p_grace_seconds integer,
    out rotated_at timestamptz, out previous_key_expires_at timestamptz
  ) ${AS_OWNER}
  as $$
  begin
    select r.* into replace_api_key.rotated_at, replace_api_key.previous_key_expires_at
      from replace_secret(p_tenant_id, default_key(p_tenant_id), p_key_id, p_key_hash, p_key_prefix, p_grace_seconds, false) r;
  end $$;

  create or replace function platform.use_recovery_token(
    p_tenant_id uuid, p_token_hash bytea, p_key_id uuid, p_key_hash bytea, p_key_prefix text
  ) returns table (rotated_at timestamptz, previous_key_expires_at timestamptz) ${AS_OWNER}
  as $$
  begin
    perform 1 from tenant t where t.id = p_tenant_id for update;
    perform 1 from recovery_token r
      where r.token_hash = p_token_hash and r.tenant_id = p_tenant_id
        and r.used_at is null and r.expires_at > clock_timestamp();
    if not found then
      return;
    end if;
    update recovery_token r set used_at = clock_timestamp() where r.tenant_id = p_tenant_id and r.used_at is null;
    return query select * from replace_secret(p_tenant_id, default_key(p_tenant_id), p_key_id, p_key_hash, p_key_prefix, 0, true);
  end $$;

  /* No row when the caller's own secret (p_caller_hash) of this key has ended meanwhile: of two rotations at once without grace, the second
     must not end the secret that the first has just handed out. Null: another principal rotates it. */
  create function platform.rotate_key(
    p_tenant_id uuid, p_of uuid, p_caller_hash bytea, p_id uuid, p_key_hash bytea, p_key_prefix text, p_grace_seconds integer
  ) returns table (rotated_at timestamptz, previous_key_expires_at timestamptz) ${AS_OWNER}
  as $$
  begin
    perform require_tenant(p_tenant_id);
    perform 1 from tenant t where t.id = p_tenant_id for update;
    if p_caller_hash is not null and not exists (
      select from api_key k where k.key_hash = p_caller_hash and k.tenant_id = p_tenant_id and k.status = 'active'
    ) then
      return;
    end if;
    if not exists (select from api_key k where k.tenant_id = p_tenant_id and k.key_id = p_of and k.status = 'active') then
      return;
    end if;
    return query select * from replace_secret(p_tenant_id, p_of, p_id, p_key_hash, p_key_prefix, p_grace_seconds, false);
  end $$`;

/** False when the tenant has as many keys as it may have. Expired keys count until they are deleted. */
const CREATE = `
  create function platform.create_api_key(p_tenant_id uuid, p_key jsonb, p_key_hash bytea, p_most integer) returns boolean ${AS_OWNER}
  as $$
  begin
    perform require_tenant(p_tenant_id);
    perform 1 from tenant t where t.id = p_tenant_id for update;
    if (select count(*) from api_key k where k.tenant_id = p_tenant_id and k.status = 'active') >= p_most then
      return false;
    end if;
    insert into api_key (id, key_id, tenant_id, key_hash, prefix, status, created_at, expires_at, name, scopes, allowed_cidrs, created_by,
                         external_ref, metadata)
    select n.id, n.id, p_tenant_id, p_key_hash, n.prefix, 'active', date_trunc('milliseconds', clock_timestamp()), n.expires_at, n.name,
           coalesce(n.scopes, '{}'), n.allowed_cidrs, n.created_by, n.external_ref, coalesce(n.metadata, '{}')
      from jsonb_to_record(p_key) as n(id uuid, prefix text, expires_at timestamptz, name text, scopes text[], allowed_cidrs text[],
                                       created_by jsonb, external_ref text, metadata jsonb);
    return true;
  end $$`;

/**
 * Gives every secret of a key the same name, scopes and networks; a secret in its grace never outlives its key. The owner is notified when
 * the key may do more or less than before, or elsewhere, or longer. No row changes: there is no such key.
 */
const CHANGE = `
  create function platform.change_api_key(
    p_tenant_id uuid, p_of uuid, p_name text, p_scopes text[], p_allowed_cidrs text[], p_expires_at timestamptz
  ) returns void ${AS_OWNER}
  as $$
  declare
    v_before api_key;
    v_changed bytea;
  begin
    perform require_tenant(p_tenant_id);
    select k.* into v_before from api_key k where k.tenant_id = p_tenant_id and k.key_id = p_of and k.status = 'active' for update;
    for v_changed in
      update api_key k
         set name = p_name, scopes = p_scopes, allowed_cidrs = p_allowed_cidrs,
             expires_at = case when k.status = 'active' then p_expires_at else least(k.expires_at, p_expires_at) end
       where k.tenant_id = p_tenant_id and k.key_id = p_of and k.status <> 'revoked'
      returning k.key_hash
    loop
      perform pg_notify('api_key_changed', encode(v_changed, 'hex'));
    end loop;
    insert into owner_notice (tenant_id, kind, detail)
    select p_tenant_id, 'key_changed', named_key(k) from api_key k
     where k.id = v_before.id and (k.scopes, k.allowed_cidrs, k.expires_at)
           is distinct from (v_before.scopes, v_before.allowed_cidrs, v_before.expires_at);
  end $$`;

/** Ends every secret of a key. False when there is no such key, or it is the default one. */
const DELETE = `
  create function platform.delete_api_key(p_tenant_id uuid, p_of uuid) returns boolean ${AS_OWNER}
  as $$
  declare
    v_changed bytea;
    v_key api_key;
  begin
    perform require_tenant(p_tenant_id);
    perform 1 from tenant t where t.id = p_tenant_id for update;
    select k.* into v_key from api_key k
     where k.tenant_id = p_tenant_id and k.key_id = p_of and k.status = 'active' and not k.is_default;
    if not found then
      return false;
    end if;
    for v_changed in
      update api_key k set status = 'revoked', expires_at = least(k.expires_at, clock_timestamp())
       where k.tenant_id = p_tenant_id and k.key_id = p_of and k.status <> 'revoked'
      returning k.key_hash
    loop
      perform pg_notify('api_key_changed', encode(v_changed, 'hex'));
    end loop;
    insert into owner_notice (tenant_id, kind, detail) values (p_tenant_id, 'key_deleted', named_key(v_key));
    return true;
  end $$`;

/** As before; the principal is the key, which its rotations keep. */
const RESOLVE = `
  create or replace function platform_v1.resolve_credential(p_kind text, p_hash bytea)
  returns table (principal_id uuid, name text, hash bytea, prefix text, scopes text[], allowed_cidrs text[], in_grace boolean, role text,
                 session_id uuid, tenant_id uuid, slug text, display_name text, plan text, environment text, expires_at timestamptz)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select k.key_id, k.name, k.key_hash, k.prefix, k.scopes, k.allowed_cidrs, k.status = 'expiring', null::text, null::uuid,
           t.id, t.slug, t.display_name, t.plan, t.environment, k.expires_at
      from platform.api_key k join platform.tenant t on t.id = k.tenant_id
     where p_kind = 'key' and k.key_hash = p_hash and k.status <> 'revoked' and (k.expires_at is null or k.expires_at > now())
  $$`;

/**
 * What a process has seen of keys since it last said so, of many tenants at once: it holds keys by their id alone, and an unknown one is
 * ignored. In the order of ids, so that two processes do not wait for each other in a circle.
 */
const RECORD_USES = `
  create function platform_v1.record_key_uses(p_uses jsonb) returns void
  language sql volatile security definer set search_path = platform, pg_temp as $$
    insert into api_key_use as u (key_id, tenant_id, used_at, used_ip, rejected, rejected_at, rejected_ip)
    select s.key_id, k.tenant_id, s.used_at, s.used_ip, s.rejected, s.rejected_at, s.rejected_ip
      from jsonb_to_recordset(p_uses) as s(key_id uuid, used_at timestamptz, used_ip text, rejected bigint, rejected_at timestamptz,
                                           rejected_ip text)
      cross join lateral (select a.tenant_id from api_key a where a.id = s.key_id and a.key_id = s.key_id) k
     order by s.key_id
    on conflict (key_id) do update
       set used_at = greatest(u.used_at, excluded.used_at),
           used_ip = case when excluded.used_at >= coalesce(u.used_at, excluded.used_at) then excluded.used_ip else u.used_ip end,
           rejected = u.rejected + excluded.rejected,
           rejected_at = greatest(u.rejected_at, excluded.rejected_at),
           rejected_ip = case when excluded.rejected_at >= coalesce(u.rejected_at, excluded.rejected_at)
                              then excluded.rejected_ip else u.rejected_ip end
  $$`;

const OF_THE_PLATFORM =
  'platform.rotate_key, platform.create_api_key, platform.change_api_key, platform.delete_api_key, platform.default_key';

const GRANTS = `
  revoke all on function ${OF_THE_PLATFORM}, platform.replace_secret, platform_v1.record_key_uses from public;
  grant execute on function ${OF_THE_PLATFORM} to platform_app;
  grant execute on function platform_v1.record_key_uses to platform_app, compliance_app, signing_app`;
