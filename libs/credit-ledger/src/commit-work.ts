import { ownersTable } from '@constancia/persistence';

/** What `commit_work` of a schema may do: insert these columns of these tables, and call these functions. */
export interface CommitList {
  /** Columns by table; `tenant_id` is implied: every row gets the tenant of its unit of work. */
  tables?: Record<string, readonly string[]>;
  /** Functions `(p_tenant_id uuid, p_args jsonb)` of the schema. */
  functions?: readonly string[];
}

/** SQL of the tables that hold what `commit_work` may do. The app role can neither read nor change them. */
export function commitListTables(schema: string): string {
  return `
    create table ${schema}.commit_table (name text primary key, columns text[] not null);
    ${ownersTable(schema, 'commit_table')}
    create table ${schema}.commit_function (name text primary key);
    ${ownersTable(schema, 'commit_function')}
  `;
}

/**
 * SQL that adds tables, columns and functions to what `commit_work` of a schema may do; for migrations. Columns of a table that
 * is listed already are added to it. Never list a table whose rows are chained, nor a column that only the schema's own functions
 * may fill.
 */
export function allowCommit(schema: string, { tables = {}, functions = [] }: CommitList): string {
  const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  return [
    ...Object.entries(tables).map(
      ([table, columns]) => `
        insert into ${schema}.commit_table (name, columns)
        values (${literal(table)}, array[${columns.map(literal).join(', ')}]::text[])
        on conflict (name) do update
           set columns = array(select distinct c from unnest(commit_table.columns || excluded.columns) c order by c);`,
    ),
    ...functions.map(
      (name) => `insert into ${schema}.commit_function (name) values (${literal(name)}) on conflict (name) do nothing;`,
    ),
  ].join('\n');
}

/**
 * SQL of `<schema>.commit_work`, which carries out many units of work in one transaction: stored answers first, then debits, then
 * records, stored answers and events of the units that were debited.
 *
 * p_units: [{ord, tenant_id, key?, fingerprint?, status?, headers?, body?, sealed?, debit?: {module, ref_type, ref_id, amount}}]
 *   (bytes in hexadecimal); ord is the unit's place, from 0. p_writes: [{table, columns: [..], ords: [..], rows: [..]}], rows[i]
 * belongs to the unit ords[i]. p_calls: [{ord, function, args}], in order; a function is (uuid, jsonb) and of this schema.
 * p_events: [{ord, event_id, tenant_id, module, event_type, occurred_at, body, traceparent}].
 *
 * It runs with the owner's rights, so it does nothing that is not listed (allowCommit): other tables, columns and functions are
 * refused with CN403. Whatever a row or an event says, its tenant is that of its unit; functions are called with that tenant as the
 * transaction's; in a transaction of one tenant, units of another one are refused. Debits and events are checked by platform_v1.
 * Every look-up is by key: the planner settings keep a plan that was made while a table was empty from scanning it later.
 * Answers one row per unit: committed, replayed (with what is stored) or insufficient. Units of one batch have different keys.
 */
export function commitWorkFunction(schema: string): string {
  return `
    create or replace function ${schema}.commit_work(p_units jsonb, p_writes jsonb, p_calls jsonb, p_events jsonb)
    returns table (ord int, outcome text, fingerprint bytea, status int, headers jsonb, body bytea, sealed boolean)
    language plpgsql security definer set search_path = ${schema}, pg_temp set lock_timeout = '2s'
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    declare
      own_tenant constant text := current_setting('app.tenant_id', true);
      tenants uuid[];
      known int[];
      debits jsonb;
      accepted int[] := '{}';
      todo int[];
      complete boolean;
      write record;
      call record;
    begin
      select array_agg(u.tenant_id order by u.ord) into tenants
        from jsonb_to_recordset(p_units) as u(ord int, tenant_id uuid)
      having bool_and(u.tenant_id is not null and u.tenant_id = coalesce(nullif(own_tenant, '')::uuid, u.tenant_id))
         and min(u.ord) = 0 and max(u.ord) = count(*) - 1 and count(distinct u.ord) = count(*);
      if tenants is null then
        raise exception 'units of work have places from 0 and the tenant of the transaction' using errcode = 'CN403';
      end if;
      perform platform_v1.lock_accounts(array(select distinct t from unnest(tenants) t));

      -- A statement of its own: it sees the keys that were committed while the lock was awaited.
      delete from idempotency_key k using jsonb_to_recordset(p_units) as u(tenant_id uuid, key uuid)
       where k.tenant_id = u.tenant_id and k.key = u.key and k.expires_at <= now();
      select coalesce(array_agg(u.ord), '{}') into known
        from jsonb_to_recordset(p_units) as u(ord int, tenant_id uuid, key uuid)
        join idempotency_key k on k.tenant_id = u.tenant_id and k.key = u.key;

      select jsonb_agg(u.debit || jsonb_build_object('ord', u.ord, 'tenant_id', u.tenant_id)) into debits
        from jsonb_to_recordset(p_units) as u(ord int, tenant_id uuid, debit jsonb)
       where u.debit is not null and u.ord <> all (known);
      if debits is not null then
        accepted := platform_v1.charge_batch(debits);
      end if;
      select coalesce(array_agg(u.ord), '{}') into todo
        from jsonb_to_recordset(p_units) as u(ord int, debit jsonb)
       where u.ord <> all (known) and (u.debit is null or u.ord = any (accepted));
      complete := cardinality(todo) = jsonb_array_length(p_units);

      for write in
        select w."table", w.ords, w.rows, array_remove(w.columns, 'tenant_id') as columns
          from jsonb_to_recordset(p_writes) as w("table" text, columns text[], ords int[], rows jsonb)
      loop
        if not exists (select from commit_table c where c.name = write."table" and write.columns <@ c.columns) then
          raise exception 'commit_work does not write these columns of %', write."table" using errcode = 'CN403';
        end if;
        if not complete then
          select coalesce(jsonb_agg(r.row order by r.nth), '[]'), coalesce(array_agg(write.ords[r.nth::int] order by r.nth), '{}')
            into write.rows, write.ords
            from jsonb_array_elements(write.rows) with ordinality as r(row, nth) where write.ords[r.nth::int] = any (todo);
        end if;
        execute format(
          'insert into %1$I.%2$I (%3$s, tenant_id) select %3$s, r."unnest"
             from rows from (jsonb_populate_recordset(null::%1$I.%2$I, $1), unnest($2)) as r',
          '${schema}', write."table", (select string_agg(quote_ident(c), ', ') from unnest(write.columns) c))
        using write.rows, array(select tenants[o + 1] from unnest(write.ords) with ordinality as x(o, nth) order by nth);
      end loop;

      insert into idempotency_key (tenant_id, key, fingerprint, status, headers, body, sealed)
      select u.tenant_id, u.key, decode(u.fingerprint, 'hex'), u.status, coalesce(u.headers, '{}'), decode(u.body, 'hex'),
             coalesce(u.sealed, false)
        from jsonb_to_recordset(p_units)
               as u(ord int, tenant_id uuid, key uuid, fingerprint text, status int, headers jsonb, body text, sealed boolean)
       where u.key is not null and u.ord = any (todo);

      for call in
        select c.ord, c.function, c.args
          from rows from (jsonb_to_recordset(p_calls) as (ord int, function text, args jsonb)) with ordinality
                 as c(ord, function, args, nth)
         where c.ord = any (todo) order by c.nth
      loop
        if not exists (select from commit_function f where f.name = call.function) then
          raise exception 'commit_work does not call %', call.function using errcode = 'CN403';
        end if;
        perform set_config('app.tenant_id', tenants[call.ord + 1]::text, true);
        execute format('select %I.%I($1, $2)', '${schema}', call.function) using tenants[call.ord + 1], call.args;
      end loop;
      perform set_config('app.tenant_id', coalesce(own_tenant, ''), true) where jsonb_array_length(p_calls) > 0;

      if jsonb_array_length(p_events) > 0 then
        perform platform_v1.emit_events(coalesce(
                  jsonb_agg(e || jsonb_build_object('tenant_id', tenants[(e ->> 'ord')::int + 1])), '[]'))
           from jsonb_array_elements(p_events) e where complete or (e ->> 'ord')::int = any (todo);
      end if;

      return query
        select u.ord,
               case when k.key is not null and u.ord = any (known) then 'replayed'
                    when u.ord = any (todo) then 'committed'
                    else 'insufficient' end,
               k.fingerprint, k.status, k.headers, k.body, k.sealed
          from jsonb_to_recordset(p_units) as u(ord int, tenant_id uuid, key uuid)
          left join idempotency_key k on k.tenant_id = u.tenant_id and k.key = u.key and u.ord = any (known);
    end $$;
    revoke all on function ${schema}.commit_work from public;
    grant execute on function ${schema}.commit_work to ${schema}_app;
  `;
}
