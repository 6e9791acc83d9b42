import { appRole, ownerRole } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Every import of a list that was tried. tenant_id: null for the operator's lists, else the tenant whose own list it is. What was
 * superseded stays: a stored screening is replayed with it. previous_id: what it was compared with, and took the place of. checked_at: when its file was last seen again.
 */
const VERSIONS = `
  create table compliance.list_version (
    id uuid primary key,
    list text not null,
    tenant_id uuid,
    version text not null,
    status text not null,
    previous_id uuid references compliance.list_version,
    source_format text not null,
    sha256 bytea not null,
    files jsonb not null,
    parser_version text not null,
    matcher_version text not null,
    entries integer not null,
    names integer not null,
    aliases integer not null,
    kinds jsonb not null,
    added integer not null,
    changed integer not null,
    removed integer not null,
    warnings jsonb not null,
    published_at timestamptz,
    imported_at timestamptz not null default now(),
    checked_at timestamptz not null default now(),
    superseded_at timestamptz,
    operator text not null,
    forced boolean not null,
    fictional boolean not null,
    refusal jsonb,
    constraint list_version_list check (list in ('OFAC', 'ONU', 'PEP', 'EU_SANCTIONS', 'FATF', 'INTERNAL')),
    constraint list_version_own check (tenant_id is null or list = 'INTERNAL'),
    constraint list_version_status check (status in ('active', 'superseded', 'refused')),
    constraint list_version_refusal check ((status = 'refused') = (refusal is not null)),
    constraint list_version_version unique nulls not distinct (list, tenant_id, version)
  );
  create unique index list_version_active on compliance.list_version (list, tenant_id) nulls not distinct where status = 'active';
  create index list_version_history on compliance.list_version (list, tenant_id, imported_at)`;

/**
 * What a version consists of, in pieces of at most 1 MB: its entries (JSON lines, gzip), how they differ from the version before
 * (the same form) and the index that was built from them, one for each version of the matcher. The bytes are compressed or random
 * already: EXTERNAL keeps the store from trying again.
 */
const CONTENTS = `
  create table compliance.list_content (
    version_id uuid not null references compliance.list_version,
    tenant_id uuid,
    part text not null,
    matcher_version text not null,
    seq integer not null,
    bytes bytea not null,
    primary key (version_id, part, matcher_version, seq),
    constraint list_content_part check (part in ('entries', 'changes', 'index'))
  );
  alter table compliance.list_content alter column bytes set storage external`;

/** Goes up with every change of what is active. Whoever missed the announcement sees it here. */
const CLOCK = `
  create table compliance.list_clock (
    only_row boolean primary key default true check (only_row),
    ticks bigint not null
  );
  insert into compliance.list_clock (ticks) values (0)`;

/**
 * Everybody reads the operator's lists, a tenant its own as well. A transaction without a tenant writes the operator's, one with a
 * tenant that tenant's.
 */
const guarded = (table: string, writes: string): string => `
  alter table compliance.${table} enable row level security;
  alter table compliance.${table} force row level security;
  create policy readable on compliance.${table} for select to ${appRole('compliance')}
    using (tenant_id is null or tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
  create policy writable on compliance.${table} to ${appRole('compliance')}
    using (tenant_id is not distinct from nullif(current_setting('app.tenant_id', true), '')::uuid)
    with check (tenant_id is not distinct from nullif(current_setting('app.tenant_id', true), '')::uuid);
  create policy owner_rows on compliance.${table} to ${ownerRole('compliance')} using (true) with check (true);
  grant select, ${writes} on compliance.${table} to ${appRole('compliance')}`;

/** What is active, of the operator and of all tenants: who holds indexes in memory must know whose are outdated. */
const ACTIVE = `
  create function compliance.active_lists()
  returns table (id uuid, list text, tenant_id uuid, version text, entries integer, published_at timestamptz,
                 imported_at timestamptz, checked_at timestamptz, sha256 bytea, fictional boolean)
  language sql stable security definer set search_path = compliance, pg_temp as $$
    select id, list, tenant_id, version, entries, published_at, imported_at, checked_at, sha256, fictional
      from list_version where status = 'active'
  $$;
  revoke all on function compliance.active_lists from public;
  grant execute on function compliance.active_lists to compliance_app;
  grant select, update on compliance.list_clock to compliance_app`;

export class Lists1763700000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      VERSIONS,
      CONTENTS,
      CLOCK,
      guarded('list_version', 'insert, update'),
      guarded('list_content', 'insert'),
      ACTIVE,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function compliance.active_lists`);
    await runner.query(`drop table compliance.list_clock, compliance.list_content, compliance.list_version`);
  }
}
