import { appRole, ownerRole, tenantTable } from '@constancia/persistence';

/**
 * SQL of what a schema needs to keep personal data sealed:
 *
 * - `tenant_key`: one data key per tenant, as KMS wrapped it, and under it the key of the tenant's blind indexes.
 * - `subject_key`: one key per subject, wrapped with the tenant's. `ref`: the tenant's own reference, when there is one; of the keys of
 *   one reference one is in use. `closed_at`: nothing new is sealed with it (its data is blocked, or gone). `wrapped_key` null: destroyed.
 * - `personal_data_mode`: `compatible` while copies of the release before may run (personal data is written in the clear, as they
 *   read it), `sealed` from then on. It starts as compatible; `migrate` makes that of a new database sealed.
 *
 * `claim_subject_key`, within a unit of work (`commit_work`): with `wrapped_key` it inserts the key of a new subject, without it checks
 * that a known one is in use. Raises CN409 when the reference has another key in use, or none: read again, seal again. Units of one
 * tenant hold its account's lock; closing a key concurrently takes it too.
 */
export function personalDataSchema(schema: string): string {
  return `
    create table ${schema}.tenant_key (
      tenant_id uuid primary key,
      wrapped_key bytea not null,
      sealed_index_key bytea not null,
      created_at timestamptz not null default now()
    );
    ${tenantTable(schema, 'tenant_key', ['select', 'insert'])}

    create table ${schema}.subject_key (
      tenant_id uuid not null,
      id uuid not null,
      ref text,
      wrapped_key bytea,
      created_at timestamptz not null default now(),
      closed_at timestamptz,
      destroyed_at timestamptz,
      primary key (tenant_id, id),
      constraint subject_key_destroyed check ((wrapped_key is null) = (destroyed_at is not null)),
      constraint subject_key_closed check (destroyed_at is null or closed_at is not null)
    );
    create unique index subject_key_in_use on ${schema}.subject_key (tenant_id, ref) where closed_at is null;
    create index subject_key_of_ref on ${schema}.subject_key (tenant_id, ref);
    ${tenantTable(schema, 'subject_key', ['select', 'insert'])}
    grant update (ref, wrapped_key, closed_at, destroyed_at) on ${schema}.subject_key to ${appRole(schema)};

    create function ${schema}.claim_subject_key(p_tenant_id uuid, p_args jsonb) returns void
    language plpgsql security definer set search_path = ${schema}, pg_temp set enable_seqscan = off as $$
    begin
      if p_args ->> 'wrapped_key' is null then
        perform 1 from subject_key where tenant_id = p_tenant_id and id = (p_args ->> 'id')::uuid and closed_at is null;
      else
        insert into subject_key (tenant_id, id, ref, wrapped_key)
        values (p_tenant_id, (p_args ->> 'id')::uuid, p_args ->> 'ref', decode(p_args ->> 'wrapped_key', 'hex'))
        on conflict (tenant_id, ref) where closed_at is null do nothing;
      end if;
      if not found then
        raise exception 'the subject has another key in use, or none' using errcode = 'CN409';
      end if;
    end $$;
    revoke all on function ${schema}.claim_subject_key from public;
    grant execute on function ${schema}.claim_subject_key to ${appRole(schema)};

    create table ${schema}.personal_data_mode (
      only_row boolean primary key default true check (only_row),
      mode text not null default 'compatible' check (mode in ('compatible', 'sealed')),
      changed_at timestamptz not null default now()
    );
    insert into ${schema}.personal_data_mode default values;
    alter table ${schema}.personal_data_mode enable row level security;
    alter table ${schema}.personal_data_mode force row level security;
    create policy owner_rows on ${schema}.personal_data_mode to ${ownerRole(schema)} using (true) with check (true);
    create policy readable on ${schema}.personal_data_mode for select to ${appRole(schema)} using (true);
    grant select on ${schema}.personal_data_mode to ${appRole(schema)};
  `;
}

/** SQL that ends the compatible mode, for good: only once no copy of the release before runs any more. */
export function sealFromNowOn(schema: string): string {
  return `update ${schema}.personal_data_mode set mode = 'sealed', changed_at = now() where mode = 'compatible'`;
}
