import { idempotencySchema } from '@constancia/idempotency';

/**
 * SQL that gives a module's schema its idempotency table and `commit_work`, which carries out many units of work in one
 * transaction: stored answers first, then debits, then records, stored answers and events of the units that were debited.
 *
 * p_units: [{ord, tenant_id, key?, fingerprint?, status?, headers?, body?, sealed?, debit?: {module, ref_type, ref_id, amount}}]
 *   (bytes in hexadecimal). p_writes: [{table, columns: [..], ords: [..], rows: [..]}], rows[i] belongs to the unit ords[i].
 * p_calls: [{ord, function, args}], in order; a function is (uuid, jsonb) and of this schema.
 * p_events: [{ord, event_id, tenant_id, module, event_type, occurred_at, body, traceparent}].
 * Every look-up is by key: the planner settings keep a plan that was made while a table was empty from scanning it later.
 * Answers one row per unit: committed, replayed (with what is stored) or insufficient. Units of one batch have different keys.
 */
export function chargedWorkSchema(schema: string): string {
  return `
    ${idempotencySchema(schema)}

    create function ${schema}.commit_work(p_units jsonb, p_writes jsonb, p_calls jsonb, p_events jsonb)
    returns table (ord int, outcome text, fingerprint bytea, status int, headers jsonb, body bytea, sealed boolean)
    language plpgsql security definer set search_path = ${schema}, pg_temp set lock_timeout = '2s'
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    declare
      known int[];
      debits jsonb;
      accepted int[] := '{}';
      todo int[];
      complete boolean;
      write record;
      call record;
    begin
      perform platform_v1.lock_accounts(array(
        select distinct u.tenant_id from jsonb_to_recordset(p_units) as u(tenant_id uuid)));

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

      for write in select * from jsonb_to_recordset(p_writes) as w("table" text, columns text[], ords int[], rows jsonb)
      loop
        execute format(
          'insert into %1$I.%2$I (%3$s) select %3$s from jsonb_populate_recordset(null::%1$I.%2$I, $1)',
          '${schema}', write."table", (select string_agg(quote_ident(c), ', ') from unnest(write.columns) c))
        using case when complete then write.rows else coalesce(
          (select jsonb_agg(r.row) from jsonb_array_elements(write.rows) with ordinality as r(row, nth)
            where write.ords[r.nth::int] = any (todo)), '[]') end;
      end loop;

      insert into idempotency_key (tenant_id, key, fingerprint, status, headers, body, sealed)
      select u.tenant_id, u.key, decode(u.fingerprint, 'hex'), u.status, coalesce(u.headers, '{}'), decode(u.body, 'hex'),
             coalesce(u.sealed, false)
        from jsonb_to_recordset(p_units)
               as u(ord int, tenant_id uuid, key uuid, fingerprint text, status int, headers jsonb, body text, sealed boolean)
       where u.key is not null and u.ord = any (todo);

      for call in
        select u.tenant_id, c.function, c.args
          from rows from (jsonb_to_recordset(p_calls) as (ord int, function text, args jsonb)) with ordinality
                 as c(ord, function, args, nth)
          join jsonb_to_recordset(p_units) as u(ord int, tenant_id uuid) on u.ord = c.ord
         where c.ord = any (todo) order by c.nth
      loop
        execute format('select %I.%I($1, $2)', '${schema}', call.function) using call.tenant_id, call.args;
      end loop;

      if jsonb_array_length(p_events) > 0 then
        perform platform_v1.emit_events(case when complete then p_events else coalesce(
          (select jsonb_agg(e) from jsonb_array_elements(p_events) e where (e ->> 'ord')::int = any (todo)), '[]') end);
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
