import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Debits and events of a batch as arrays instead of JSON, for commit_work_v2 (ADR 0263). charge_batch stays for commit_work. */
export class BatchesAsArrays1764000009500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CHARGE_BATCH, EMIT_EVENTS, EMIT_EVENTS_OF_JSON, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * An element per unit of work; the amount is null where nothing is debited. Answers the places (from 1) that were debited: an amount
 * that does not fit is left out, and a smaller one after it may still fit. Accounts must be locked already.
 *
 * Accounts whose amounts all fit are debited first; of the others it is seen what fits, and that is debited by a second call. An entry
 * finds its account by its rank among the debited ones: a join would compare each with each, as commit_work_v2 has switched hash and
 * merge joins off.
 */
const CHARGE_BATCH = `
  create function platform_v1.charge_batch_v2(
    p_tenants uuid[], p_modules text[], p_ref_types text[], p_ref_ids uuid[], p_amounts int[]
  ) returns int[] language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    owners uuid[];
    openings bigint[];
    opening_seqs bigint[];
    debited int[];
    fitting int[] := '{}';
    item record;
    owner uuid;
    left_over bigint;
  begin
    perform require_module(m.module)
       from (select distinct i.module from unnest(p_modules, p_amounts) as i(module, amount) where i.amount is not null) m;
    with account as (
      update platform.credit_account a
         set available = a.available - d.total, last_seq = a.last_seq + d.entries
        from (select i.tenant_id, sum(i.amount) as total, count(*) as entries
                from unnest(p_tenants, p_amounts) as i(tenant_id, amount) where i.amount is not null group by i.tenant_id) d
       where a.tenant_id = d.tenant_id and a.available >= d.total
       returning a.tenant_id, a.available + d.total as opening, a.last_seq - d.entries as opening_seq
    )
    select coalesce(array_agg(a.tenant_id order by a.tenant_id), '{}'), array_agg(a.opening order by a.tenant_id),
           array_agg(a.opening_seq order by a.tenant_id)
      into owners, openings, opening_seqs
      from account a;
    insert into platform.credit_entry
      (tenant_id, seq, kind, amount, quantity, balance_after, debit_account, credit_account, module, ref_type, ref_id)
    select d.tenant_id, opening_seqs[d.account] + d.nth, 'debit', -d.amount, d.amount, openings[d.account] - d.running,
           'tenant:available', 'system:revenue', d.module, d.ref_type, d.ref_id
      from (select i.*, dense_rank() over (order by i.tenant_id) as account, row_number() over own as nth, sum(i.amount) over own as running
              from unnest(p_tenants, p_modules, p_ref_types, p_ref_ids, p_amounts) with ordinality
                     as i(tenant_id, module, ref_type, ref_id, amount, place)
             where i.amount is not null and i.tenant_id = any (owners)
            window own as (partition by i.tenant_id order by i.place)) d;
    debited := array(select i.place::int from unnest(p_tenants, p_amounts) with ordinality as i(tenant_id, amount, place)
                      where i.amount is not null and i.tenant_id = any (owners));

    if cardinality(debited) < (select count(amount) from unnest(p_amounts) amount) then
      for item in
        select i.tenant_id, i.place, i.amount, a.available
          from unnest(p_tenants, p_amounts) with ordinality as i(tenant_id, amount, place)
          join platform.credit_account a on a.tenant_id = i.tenant_id
         where i.amount is not null and i.tenant_id <> all (owners) order by i.tenant_id, i.place
      loop
        if item.tenant_id is distinct from owner then
          owner := item.tenant_id;
          left_over := item.available;
        end if;
        if item.amount <= left_over then
          left_over := left_over - item.amount;
          fitting := fitting || item.place::int;
        end if;
      end loop;
    end if;
    if fitting <> '{}' then
      debited := debited || platform_v1.charge_batch_v2(p_tenants, p_modules, p_ref_types, p_ref_ids,
        array(select case when i.place = any (fitting) then i.amount end
                from unnest(p_amounts) with ordinality as i(amount, place) order by i.place));
    end if;
    return debited;
  end $$;
`;

/**
 * For the modules' own functions, which emit for several tenants at once: in a transaction of one tenant, only for that one. The events
 * are checked together: a body that begins as libs/events writes it, and that has no member twice, says what its row says. Only if
 * another one is among them are they checked one by one, which allows what is allowed or states what is wrong.
 */
const EMIT_EVENTS = `
  create function platform_v1.emit_events_v2(
    p_ids uuid[], p_tenants uuid[], p_modules text[], p_types text[], p_times timestamptz[], p_bodies text[], p_traceparents text[]
  ) returns void language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    own_tenant constant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  begin
    if own_tenant is not null then
      perform require_tenant(v.tenant_id) from (select distinct tenant_id from unnest(p_tenants) tenant_id) v;
    end if;
    if exists (select from (select distinct module from unnest(p_modules) module) m where not acts_for(m.module))
       or exists (select from unnest(p_ids, p_tenants, p_modules, p_types, p_bodies) as i(event_id, tenant_id, module, event_type, body)
                   where (starts_with(i.body, '{"event_id":"' || i.event_id || '","tenant_id":"' || i.tenant_id || '","module":"'
                                              || i.module || '","event_type":"' || i.event_type || '",')
                          and translate(i.event_type, '"\\', '') = i.event_type
                          and i.body is json object with unique keys) is not true) then
      perform check_event(i.event_id, i.tenant_id, i.module, i.event_type, i.body)
         from unnest(p_ids, p_tenants, p_modules, p_types, p_bodies) as i(event_id, tenant_id, module, event_type, body);
    end if;
    with made as (
      insert into event (event_id, tenant_id, module, event_type, occurred_at, body, traceparent, external_ref)
      select i.event_id, i.tenant_id, i.module, i.event_type, i.occurred_at, i.body, i.traceparent,
             case when strpos(i.body, '"external_ref"') > 0 then external_ref_of(i.body) end
        from unnest(p_ids, p_tenants, p_modules, p_types, p_times, p_bodies, p_traceparents)
               as i(event_id, tenant_id, module, event_type, occurred_at, body, traceparent)
      on conflict do nothing
      returning event_id, tenant_id, module, event_type
    )
    insert into delivery (id, event_id, tenant_id, endpoint_id, module, event_type)
    select uuid_v7(), m.event_id, m.tenant_id, e.id, coalesce(e.module, m.module), m.event_type
      from made m join webhook_endpoint e on e.tenant_id = m.tenant_id and receives(e, m.module, m.event_type);
  end $$;
`;

const EMIT_EVENTS_OF_JSON = `
  create or replace function platform_v1.emit_events(p_events jsonb) returns void
  language sql security definer set search_path = platform, pg_temp as $$
    select platform_v1.emit_events_v2(array_agg(i.event_id), array_agg(i.tenant_id), array_agg(i.module), array_agg(i.event_type),
                                      array_agg(i.occurred_at), array_agg(i.body), array_agg(i.traceparent))
      from jsonb_to_recordset(p_events) as i(event_id uuid, tenant_id uuid, module text, event_type text, occurred_at timestamptz,
                                             body text, traceparent text)
  $$;
`;

const GRANTS = `
  revoke all on function platform_v1.charge_batch_v2, platform_v1.emit_events_v2 from public;
  grant execute on function platform_v1.charge_batch_v2, platform_v1.emit_events_v2 to identity_owner, compliance_owner, signing_owner;
`;
