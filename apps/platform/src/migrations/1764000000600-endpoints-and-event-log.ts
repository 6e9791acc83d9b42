import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Several endpoints per tenant, deliveries for every registered one whatever its state, and the log of all events. */
export class EndpointsAndEventLog1764000000600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [ENDPOINTS, RESUMED, EXTERNAL_REF, EVENTS, RECEIVES, EMIT_TEST, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * module: of the endpoint that PUT registers, one per module, signed with the tenant's secret. Null: one of those that POST
 * creates; it gets the events of `modules` and has a secret of its own, sealed like the tenant's.
 */
const ENDPOINTS = `
  alter table platform.webhook_endpoint
    alter column module drop not null,
    add column modules text[],
    add column webhook_secret bytea,
    add column previous_webhook_secret bytea,
    add column previous_webhook_secret_expires_at timestamptz,
    add column resumed_at timestamptz,
    add constraint webhook_endpoint_of_module_or_own
      check ((module is null) = (modules is not null) and (module is null) = (webhook_secret is not null))`;

/** resumed_at: since when what waited for the endpoint can be sent. A trigger, since copies of the former release enable too. */
const RESUMED = `
  create function platform.note_resumed() returns trigger language plpgsql set search_path = platform, pg_temp as $$
  begin
    if new.enabled and (not old.enabled or (old.paused_until > now() and (new.paused_until <= now()) is not false)) then
      new.resumed_at := now();
    end if;
    return new;
  end $$;
  create trigger webhook_endpoint_resumed before update of enabled, paused_until on platform.webhook_endpoint
    for each row execute function platform.note_resumed()`;

/** payload.external_ref of a body. Null when there is none, or none that Postgres can keep (an escaped NUL or half of a pair). */
const EXTERNAL_REF = `
  create function platform.external_ref_of(p_body text) returns text
  language plpgsql immutable parallel safe set search_path = platform, pg_temp as $$
  begin
    if strpos(p_body, '"external_ref"') = 0 then
      return null;
    end if;
    if strpos(p_body, '\\u') = 0 then
      return left(p_body::jsonb #>> '{payload,external_ref}', 200);
    end if;
    begin
      return left(p_body::jsonb #>> '{payload,external_ref}', 200);
    exception when data_exception then
      return null;
    end;
  end $$`;

/**
 * The log is read by tenant in the order of the ids, alone or by reference. A filter by type is applied inside the same index: an index of
 * its own would cost every event another write. only_endpoint_id: a test, for one endpoint.
 */
const EVENTS = `
  alter table platform.event add column external_ref text, add column only_endpoint_id uuid;
  create index event_log on platform.event (tenant_id, event_id, event_type);
  create index event_log_by_ref on platform.event (tenant_id, external_ref, event_id) where external_ref is not null;`;

/**
 * Who gets an event: the endpoints of its module that subscribe to its type (an empty list is all), enabled or not: what is
 * disabled or paused gets it later. That an endpoint was disabled is told to endpoints of the other modules too.
 */
const RECEIVES = `
  create or replace function platform.receives(e platform.webhook_endpoint, p_module text, p_event_type text) returns boolean
  language sql immutable parallel safe as $$
    select case when p_event_type = 'endpoint.test' then coalesce(e.module = p_module, false)
                else (p_module = any (coalesce(e.modules, array[e.module])) or p_event_type = 'webhook.endpoint.disabled')
                     and (e.event_types = '{}' or p_event_type = any (e.event_types)) end
  $$`;

/** Emits a test to one endpoint of the transaction's tenant, whatever it subscribes to. Answers the delivery. */
const EMIT_TEST = `
  create function platform.emit_test(p_event jsonb, p_endpoint_id uuid) returns uuid
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    v_tenant_id constant uuid := (p_event ->> 'tenant_id')::uuid;
    v_module text;
    made constant uuid := uuid_v7();
  begin
    perform require_tenant(v_tenant_id);
    select coalesce(e.module, p_event ->> 'module') into strict v_module
      from webhook_endpoint e where e.id = p_endpoint_id and e.tenant_id = v_tenant_id;
    insert into event (event_id, tenant_id, module, event_type, occurred_at, body, traceparent, external_ref, only_endpoint_id)
    select i.event_id, i.tenant_id, i.module, i.event_type, i.occurred_at, i.body, i.traceparent, external_ref_of(i.body), p_endpoint_id
      from jsonb_to_record(p_event) as i(event_id uuid, tenant_id uuid, module text, event_type text,
                                         occurred_at timestamptz, body text, traceparent text);
    insert into delivery (id, event_id, tenant_id, endpoint_id, module, event_type)
    values (made, (p_event ->> 'event_id')::uuid, v_tenant_id, p_endpoint_id, v_module, p_event ->> 'event_type');
    return made;
  end $$`;

const GRANTS = `
  revoke all on function platform.note_resumed, platform.external_ref_of, platform.emit_test
    from public;
  grant execute on function platform.emit_test to platform_app`;
