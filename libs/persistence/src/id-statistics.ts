/** Tables of tenants whose primary key is `id` alone: `t`, the table; a list of them is in the order of ids, which is that of time. */
const TABLES = `
  select i.indrelid::regclass as name, c.relname
    from pg_index i
    join pg_class c on c.oid = i.indrelid and c.relkind = 'r' and not c.relispartition
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] and a.attname = 'id'
   where i.indisprimary and i.indnkeyatts = 1
     and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'tenant_id')`;

/**
 * SQL that makes Postgres read lists of a tenant through the indexes that begin with tenant_id. Rows are stored in the order of their ids;
 * with statistics that say so, walking the primary key back from its end looks cheaper where a tenant has many rows, although it passes
 * every row that other tenants have added since. Without them it does not, and nothing else is estimated by them: ids are unique.
 * Harmless again: a migration that adds tables runs it, too. Before PostgreSQL 18 a table that has such statistics keeps them
 * (docs/guides/upgrade.md).
 */
export function withoutIdStatistics(schema: string): string {
  return `do $$
  declare
    t record;
  begin
    for t in ${TABLES} and c.relnamespace = '${schema}'::regnamespace and a.attstattarget is distinct from 0
    loop
      execute format('alter table %s alter column id set statistics 0', t.name);
      if current_setting('server_version_num')::integer >= 180000 then
        perform pg_clear_attribute_stats('${schema}', t.relname, 'id', false);
      end if;
    end loop;
  end $$`;
}

/** The query of those that withoutIdStatistics was not run for: for a test. Answers `name`. */
export const TABLES_WITH_ID_STATISTICS = `${TABLES} and a.attstattarget is distinct from 0 and c.relnamespace = $1::regnamespace`;
