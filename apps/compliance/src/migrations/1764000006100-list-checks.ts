import { appRole, ownerRole } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How old a list was when something was decided (ADR 0234). */
export class ListChecks1764000006100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CHECKS, KNOWN, NOTE]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** Every import of a version's file, be it unchanged: list_version.checked_at keeps only the last. Read as versions are. */
const CHECKS = `
  create table compliance.list_check (
    version_id uuid not null references compliance.list_version,
    tenant_id uuid,
    checked_at timestamptz not null,
    primary key (version_id, checked_at)
  );
  alter table compliance.list_check enable row level security;
  alter table compliance.list_check force row level security;
  create policy readable on compliance.list_check for select to ${appRole('compliance')}
    using (tenant_id is null or tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
  create policy owner_rows on compliance.list_check to ${ownerRole('compliance')} using (true) with check (true);
  grant select on compliance.list_check to ${appRole('compliance')}`;

/** Of earlier versions the first and the last import are known. */
const KNOWN = `
  insert into compliance.list_check (version_id, tenant_id, checked_at)
  select v.id, v.tenant_id, known.at from compliance.list_version v,
         lateral (values (v.imported_at), (v.checked_at)) known (at)
   where v.status <> 'refused'
  on conflict do nothing`;

const NOTE = `
  create function compliance.note_list_check() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  begin
    insert into list_check (version_id, tenant_id, checked_at) values (new.id, new.tenant_id, new.checked_at)
    on conflict do nothing;
    return null;
  end $$;
  revoke all on function compliance.note_list_check from public;
  create trigger note_list_check after insert or update of checked_at on compliance.list_version
    for each row when (new.status <> 'refused') execute function compliance.note_list_check()`;
