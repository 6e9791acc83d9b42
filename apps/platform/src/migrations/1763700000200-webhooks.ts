import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events, endpoints, deliveries and their attempts, and how the modules emit (platform_v1.emit_event, emit_events). */
export class Webhooks1763700000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const part of [ENDPOINTS, EVENTS, DELIVERIES, REPLAY_RUNS, PARTITIONS, EMISSION, GRANTS])
      await runner.query(part);
    await runner.query('select platform.maintain_partitions(7, 30)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * One endpoint per tenant and module; its id is made of both (libs/events, endpointIdOf). Health: consecutive_failures and
 * first_failure_at since the last success, or since days without a failure (last_failure_at); paused_until by Retry-After; probe_until is the lease of the one delivery that a
 * failing endpoint gets at a time. notice_due_at: when to tell the owner (again) that the dispatcher has disabled it.
 */
const ENDPOINTS = `
  create table platform.webhook_endpoint (
    id uuid primary key,
    tenant_id uuid not null references platform.tenant,
    module text not null,
    url text not null,
    enabled boolean not null default true,
    event_types text[] not null default '{}',
    description text,
    disabled_reason text check (disabled_reason in ('gone', 'failing')),
    disabled_at timestamptz,
    announced_at timestamptz,
    notice_due_at timestamptz,
    consecutive_failures integer not null default 0,
    first_failure_at timestamptz,
    last_failure_at timestamptz,
    paused_until timestamptz,
    probe_until timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint webhook_endpoint_per_module unique (tenant_id, module)
  ) with (fillfactor = 70);
  create index webhook_endpoint_notices on platform.webhook_endpoint (notice_due_at) where notice_due_at is not null;
  ${tenantTable('platform', 'webhook_endpoint', ['select', 'insert', 'update', 'delete'])}
`;

/** event_id is a UUIDv7, so a day is a range of it: a day's bodies are dropped together. The default partition is a net. */
const EVENTS = `
  create table platform.event (
    event_id uuid not null primary key,
    tenant_id uuid not null,
    module text not null,
    event_type text not null,
    occurred_at timestamptz not null,
    body text not null,
    traceparent text
  ) partition by range (event_id);
  create table platform.event_default partition of platform.event default;
  ${tenantTable('platform', 'event', ['select'])}
`;

/**
 * next_attempt_at is null once a delivery is delivered or failed. A lease changes no indexed column, so that taking work is
 * a heap-only update. schedule_step counts attempts since the delivery was last put in line; attempts counts all.
 */
const DELIVERIES = `
  create table platform.delivery (
    id uuid primary key,
    event_id uuid not null,
    tenant_id uuid not null,
    endpoint_id uuid not null,
    module text not null,
    event_type text not null,
    status text not null default 'pending' check (status in ('pending', 'delivering', 'delivered', 'failed')),
    attempts integer not null default 0,
    schedule_step integer not null default 0,
    next_attempt_at timestamptz default now(),
    lease_token uuid,
    lease_until timestamptz,
    replay_run_id uuid,
    last_http_status integer,
    last_error text,
    last_attempt_at timestamptz,
    delivered_at timestamptz,
    failed_at timestamptz,
    created_at timestamptz not null default now(),
    constraint delivery_is_open check ((next_attempt_at is null) = (status in ('delivered', 'failed')))
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
  create index delivery_open on platform.delivery (endpoint_id, next_attempt_at) where next_attempt_at is not null;
  create index delivery_by_event on platform.delivery (tenant_id, event_id, id);
  create index delivery_failed on platform.delivery (tenant_id, event_id, id) where failed_at is not null;
  ${tenantTable('platform', 'delivery', ['select', 'update'])}

  create table platform.delivery_attempt (
    id uuid not null,
    delivery_id uuid not null,
    tenant_id uuid not null,
    number integer not null,
    at timestamptz not null,
    duration_ms integer not null,
    first_byte_ms integer,
    url text not null,
    http_status integer,
    error_code text,
    error_detail text,
    response_excerpt text,
    primary key (delivery_id, id)
  ) partition by range (id);
  create table platform.delivery_attempt_default partition of platform.delivery_attempt default;
  ${tenantTable('platform', 'delivery_attempt', ['select'])}
`;

/** A run walks the tenant's deliveries in the order of (event_id, id); the cursor moves in the slice's own transaction. */
const REPLAY_RUNS = `
  create table platform.replay_run (
    id uuid primary key,
    tenant_id uuid not null,
    status text not null check (status in ('running', 'completed', 'cancelled')),
    dry_run boolean not null,
    statuses text[] not null,
    module text,
    event_type text,
    from_at timestamptz,
    to_at timestamptz,
    max_deliveries integer not null,
    matched integer not null default 0,
    replayed integer not null default 0,
    skipped integer not null default 0,
    cursor_event_id uuid not null default '00000000-0000-0000-0000-000000000000',
    cursor_id uuid not null default '00000000-0000-0000-0000-000000000000',
    next_slice_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    finished_at timestamptz
  );
  create index replay_run_running on platform.replay_run (next_slice_at) where status = 'running';
  ${tenantTable('platform', 'replay_run')}
`;

/**
 * Keeps a partition for each day from yesterday to days_ahead, drops those that ended more than keep_days ago. Rows of a day
 * that fell into the default partition move into the day's own before it is attached (attaching locks less than creating);
 * those whose day never had one (the dispatcher was away for longer than days_ahead, a clock was wrong) go with their age.
 */
const PARTITIONS = `
  create function platform.uuid_floor(p_at timestamptz) returns uuid
  language sql immutable strict parallel safe as $$
    select (lpad(to_hex(greatest(0, extract(epoch from p_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
  $$;

  create function platform.maintain_partitions(p_days_ahead integer, p_keep_days integer) returns integer
  language plpgsql security definer set search_path = platform, pg_temp set lock_timeout = '2s' as $$
  declare
    family record;
    day date;
    name text;
    old record;
    changed integer := 0;
    today constant date := (now() at time zone 'UTC')::date;
  begin
    perform pg_advisory_xact_lock(hashtext('platform.maintain_partitions'));
    for family in select * from (values ('event', 'event_id'), ('delivery_attempt', 'id')) as f(parent, key) loop
      for day in select generate_series(today - 1, today + p_days_ahead, interval '1 day')::date loop
        name := format('%s_%s', family.parent, to_char(day, 'YYYYMMDD'));
        continue when to_regclass(format('platform.%I', name)) is not null;
        execute format('create table platform.%I (like platform.%I including all)', name, family.parent);
        execute format(
          'with moved as (delete from platform.%1$I where %2$I >= %3$L and %2$I < %4$L returning *)
           insert into platform.%5$I select * from moved',
          family.parent || '_default', family.key, platform.uuid_floor(day::timestamp at time zone 'UTC'),
          platform.uuid_floor((day + 1)::timestamp at time zone 'UTC'), name);
        execute format('alter table platform.%I attach partition platform.%I for values from (%L) to (%L)',
          family.parent, name, platform.uuid_floor(day::timestamp at time zone 'UTC'),
          platform.uuid_floor((day + 1)::timestamp at time zone 'UTC'));
        changed := changed + 1;
      end loop;
      for old in
        select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = format('platform.%I', family.parent)::regclass and c.relname ~ '_[0-9]{8}$'
           and to_date(right(c.relname, 8), 'YYYYMMDD') < today - p_keep_days
      loop
        execute format('drop table platform.%I', old.relname);
        changed := changed + 1;
      end loop;
      execute format('delete from platform.%I where %I < %L', family.parent || '_default', family.key,
        platform.uuid_floor((today - p_keep_days)::timestamp at time zone 'UTC'));
    end loop;
    return changed;
  end $$;

  create function platform.prune_deliveries(p_keep_days integer, p_limit integer) returns integer
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    gone integer;
  begin
    delete from delivery where id in (
      select d.id from delivery d
       where d.id < platform.uuid_floor(now() - make_interval(days => p_keep_days)) and d.next_attempt_at is null
       order by d.id limit p_limit for update skip locked);
    get diagnostics gone = row_count;
    return gone;
  end $$;
`;

/**
 * Who gets an event: the enabled endpoint of its module that subscribes to its type (an empty list is all). A test goes to
 * every subscription; the news that an endpoint was disabled goes to the tenant's other endpoints too.
 */
const EMISSION = `
  create function platform.receives(e platform.webhook_endpoint, p_module text, p_event_type text) returns boolean
  language sql immutable parallel safe as $$
    select e.enabled
       and (e.module = p_module or p_event_type = 'webhook.endpoint.disabled')
       and (e.event_types = '{}' or p_event_type = any (e.event_types) or p_event_type = 'endpoint.test')
  $$;

  create function platform_v1.emit_event(
    p_event_id uuid, p_tenant_id uuid, p_module text, p_event_type text, p_occurred_at timestamptz, p_body text,
    p_traceparent text
  ) returns integer
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    made integer;
  begin
    perform require_tenant(p_tenant_id);
    insert into event (event_id, tenant_id, module, event_type, occurred_at, body, traceparent)
    values (p_event_id, p_tenant_id, p_module, p_event_type, p_occurred_at, p_body, p_traceparent)
    on conflict do nothing;
    if not found then
      return 0;
    end if;
    insert into delivery (id, event_id, tenant_id, endpoint_id, module, event_type)
    select uuid_v7(), p_event_id, p_tenant_id, e.id, e.module, p_event_type
      from webhook_endpoint e
     where e.tenant_id = p_tenant_id and receives(e, p_module, p_event_type);
    get diagnostics made = row_count;
    return made;
  end $$;

  create function platform_v1.emit_events(p_events jsonb) returns void
  language plpgsql security definer set search_path = platform, pg_temp as $$
  begin
    perform require_tenant(v.tenant_id)
       from (select distinct i.tenant_id from jsonb_to_recordset(p_events) as i(tenant_id uuid)) v;
    with made as (
      insert into event (event_id, tenant_id, module, event_type, occurred_at, body, traceparent)
      select i.event_id, i.tenant_id, i.module, i.event_type, i.occurred_at, i.body, i.traceparent
        from jsonb_to_recordset(p_events) as i(event_id uuid, tenant_id uuid, module text, event_type text,
                                               occurred_at timestamptz, body text, traceparent text)
      on conflict do nothing
      returning event_id, tenant_id, module, event_type
    )
    insert into delivery (id, event_id, tenant_id, endpoint_id, module, event_type)
    select uuid_v7(), m.event_id, m.tenant_id, e.id, e.module, m.event_type
      from made m join webhook_endpoint e on e.tenant_id = m.tenant_id and receives(e, m.module, m.event_type);
  end $$;
`;

const EMITTERS = [
  'platform_app', 'platform_owner', 'identity_app', 'identity_owner', 'compliance_app', 'compliance_owner', 'signing_app',
  'signing_owner',
].join(', '); // prettier-ignore

const GRANTS = `
  revoke all on function platform.uuid_floor, platform.maintain_partitions, platform.prune_deliveries, platform.receives,
    platform_v1.emit_event, platform_v1.emit_events from public;
  grant execute on function platform_v1.emit_event, platform_v1.emit_events to ${EMITTERS};
  grant execute on function platform.uuid_floor, platform.maintain_partitions, platform.prune_deliveries to platform_app;
`;
