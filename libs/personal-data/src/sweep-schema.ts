import { appRole, ownerRole } from '@constancia/persistence';

/**
 * SQL of what the sealing sweep of a schema needs: `sealing_progress`, one row per table with rows in the clear and where the sweep stands
 * in it, and `unsealed_rows(table, after, limit)`, the next rows of all tenants in the order of their ids. Tables are added with sweptTable.
 */
export function sealingSweepSchema(schema: string): string {
  return `
    create table ${schema}.sealing_progress (
      table_name text primary key,
      is_clear text not null,
      after_id uuid not null default '00000000-0000-0000-0000-000000000000',
      done_at timestamptz
    );
    alter table ${schema}.sealing_progress enable row level security;
    alter table ${schema}.sealing_progress force row level security;
    create policy owner_rows on ${schema}.sealing_progress to ${ownerRole(schema)} using (true) with check (true);
    create policy app_rows on ${schema}.sealing_progress to ${appRole(schema)} using (true) with check (true);
    grant select, update (after_id, done_at) on ${schema}.sealing_progress to ${appRole(schema)};

    create function ${schema}.unsealed_rows(p_table text, p_after uuid, p_limit integer)
    returns table (tenant_id uuid, id uuid)
    language plpgsql stable security definer set search_path = ${schema}, pg_temp set enable_seqscan = off as $$
    declare
      condition text := (select p.is_clear from sealing_progress p where p.table_name = p_table);
    begin
      return query execute format(
        'select r.tenant_id, r.id from ${schema}.%I r where r.id > $1 and (%s) order by r.id limit $2', p_table, condition)
        using p_after, p_limit;
    end $$;
    revoke all on function ${schema}.unsealed_rows from public;
    grant execute on function ${schema}.unsealed_rows to ${appRole(schema)};
  `;
}

/** SQL that has the sweep seal a table too. `isClear`: SQL condition on its row `r`, true while the row holds personal data in the clear. */
export function sweptTable(schema: string, table: string, isClear: string): string {
  const condition = isClear.replaceAll("'", "''");
  return `insert into ${schema}.sealing_progress (table_name, is_clear) values ('${table}', '${condition}');`;
}
