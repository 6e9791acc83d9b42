/**
 * SQL of `<schema>.commit_work_v2`: what commit_work does, of units whose columns are arrays. What is written for every unit is never
 * read as JSON, which took a third of the time of a batch (ADR 0263).
 *
 * p_tenants to p_amounts: an element per unit, whose place is counted from 1; null where a unit has no key or no debit.
 * p_writes: [{table, columns: [..], places: [..], rows: [..]}], rows[i] belongs to the unit places[i].
 * p_calls: [{place, function, args}], in order; a function is (uuid, jsonb) and of this schema.
 * p_event_places to p_event_traceparents: an element per event.
 *
 * It runs with the owner's rights, so it does nothing that is not listed (allowCommit): other tables, columns and functions are
 * refused with CN403. Whatever a row or an event says, its tenant is that of its unit; functions are called with that tenant as the
 * transaction's; in a transaction of one tenant, units of another one are refused. Debits and events are checked by platform_v1.
 * Every look-up is by key: the planner settings keep a plan that was made while a table was empty from scanning it later.
 * Answers a row for each unit that was not carried out: replayed (with what is stored) or insufficient. Units of one batch have
 * different keys.
 */
export function commitWorkV2Function(schema: string): string {
  return `
    create function ${schema}.commit_work_v2(
      p_tenants uuid[], p_keys uuid[], p_fingerprints bytea[], p_statuses int[], p_headers jsonb[], p_bodies bytea[], p_sealed boolean[],
      p_modules text[], p_ref_types text[], p_ref_ids uuid[], p_amounts int[], p_writes jsonb, p_calls jsonb, p_event_places int[],
      p_event_ids uuid[], p_event_modules text[], p_event_types text[], p_event_times timestamptz[], p_event_bodies text[],
      p_event_traceparents text[]
    ) returns table (place int, outcome text, fingerprint bytea, status int, headers jsonb, body bytea, sealed boolean)
    language plpgsql security definer set search_path = ${schema}, pg_temp set lock_timeout = '2s'
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    declare
      own_tenant constant text := current_setting('app.tenant_id', true);
      known int[];
      debited int[];
      undone int[];
      write record;
      call record;
    begin
      if exists (select from unnest(p_tenants) t where t is distinct from coalesce(nullif(own_tenant, '')::uuid, t) or t is null) then
        raise exception 'units of work have the tenant of the transaction' using errcode = 'CN403';
      end if;
      perform platform_v1.lock_accounts(array(select distinct t from unnest(p_tenants) t));

      -- A statement of its own: it sees the keys that were committed while the lock was awaited.
      delete from idempotency_key k using unnest(p_tenants, p_keys) as u(tenant_id, key)
       where k.tenant_id = u.tenant_id and k.key = u.key and k.expires_at <= now();
      known := array(select u.place::int
                       from unnest(p_tenants, p_keys) with ordinality as u(tenant_id, key, place)
                       join idempotency_key k on k.tenant_id = u.tenant_id and k.key = u.key);

      debited := platform_v1.charge_batch_v2(p_tenants, p_modules, p_ref_types, p_ref_ids,
        array(select case when u.place <> all (known) then u.amount end
                from unnest(p_amounts) with ordinality as u(amount, place) order by u.place));
      undone := known || array(select u.place::int from unnest(p_amounts) with ordinality as u(amount, place)
                                where u.amount is not null and u.place <> all (known || debited));

      for write in
        select w."table", w.places, w.rows, array_remove(w.columns, 'tenant_id') as columns
          from jsonb_to_recordset(p_writes) as w("table" text, columns text[], places int[], rows jsonb)
      loop
        if not exists (select from commit_table c where c.name = write."table" and write.columns <@ c.columns) then
          raise exception 'commit_work does not write these columns of %', write."table" using errcode = 'CN403';
        end if;
        if undone <> '{}' then
          select coalesce(jsonb_agg(r.row order by r.nth), '[]'), coalesce(array_agg(write.places[r.nth::int] order by r.nth), '{}')
            into write.rows, write.places
            from jsonb_array_elements(write.rows) with ordinality as r(row, nth) where write.places[r.nth::int] <> all (undone);
        end if;
        execute format(
          'insert into %1$I.%2$I (%3$s, tenant_id) select %3$s, r."unnest"
             from rows from (jsonb_populate_recordset(null::%1$I.%2$I, $1), unnest($2)) as r',
          '${schema}', write."table", (select string_agg(quote_ident(c), ', ') from unnest(write.columns) c))
        using write.rows, array(select p_tenants[o] from unnest(write.places) with ordinality as x(o, nth) order by nth);
      end loop;

      insert into idempotency_key (tenant_id, key, fingerprint, status, headers, body, sealed)
      select u.tenant_id, u.key, u.fingerprint, u.status, coalesce(u.headers, '{}'), u.body, coalesce(u.sealed, false)
        from unnest(p_tenants, p_keys, p_fingerprints, p_statuses, p_headers, p_bodies, p_sealed) with ordinality
               as u(tenant_id, key, fingerprint, status, headers, body, sealed, place)
       where u.key is not null and u.place <> all (undone);

      for call in
        select c.place, c.function, c.args
          from rows from (jsonb_to_recordset(p_calls) as (place int, function text, args jsonb)) with ordinality
                 as c(place, function, args, nth)
         where c.place <> all (undone) order by c.nth
      loop
        if not exists (select from commit_function f where f.name = call.function) then
          raise exception 'commit_work does not call %', call.function using errcode = 'CN403';
        end if;
        perform set_config('app.tenant_id', p_tenants[call.place]::text, true);
        execute format('select %I.%I($1, $2)', '${schema}', call.function) using p_tenants[call.place], call.args;
      end loop;
      perform set_config('app.tenant_id', coalesce(own_tenant, ''), true) where jsonb_array_length(p_calls) > 0;

      perform platform_v1.emit_events_v2(array_agg(e.event_id), array_agg(p_tenants[e.place]), array_agg(e.module), array_agg(e.type),
                                         array_agg(e.occurred_at), array_agg(e.body), array_agg(e.traceparent))
         from unnest(p_event_places, p_event_ids, p_event_modules, p_event_types, p_event_times, p_event_bodies, p_event_traceparents)
                as e(place, event_id, module, type, occurred_at, body, traceparent)
        where e.place <> all (undone)
       having count(*) > 0;

      return query
        select u.place, case when k.key is not null then 'replayed' else 'insufficient' end,
               k.fingerprint, k.status, k.headers, k.body, k.sealed
          from unnest(undone) u(place)
          left join idempotency_key k on k.tenant_id = p_tenants[u.place] and k.key = p_keys[u.place] and u.place = any (known);
    end $$;
    revoke all on function ${schema}.commit_work_v2 from public;
    grant execute on function ${schema}.commit_work_v2 to ${schema}_app;
  `;
}
