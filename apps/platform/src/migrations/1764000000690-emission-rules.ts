import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events are emitted by the module that they are of, for the transaction's tenant, with a body that says the same (ADR 0128). */
export class EmissionRules1764000000690 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CHECK_EVENT, EMIT_EVENT, EMIT_EVENTS, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * Receivers trust the body: it must say what the row says. The platform may send any module's endpoints a test and what it knows of
 * itself (endpoint, webhook, credits, tenant); an event of another module's types only as a test (\`"test": true\` in the body).
 */
const CHECK_EVENT = `
  create function platform.check_event(p_event_id uuid, p_tenant_id uuid, p_module text, p_event_type text, p_body text)
  returns void language plpgsql stable as $$
  declare
    stated record;
  begin
    if platform.is_administrator() then
      return;
    end if;
    select * into stated
      from json_to_record(p_body::json) as b(event_id uuid, tenant_id uuid, module text, event_type text, test json);
    if (stated.event_id, stated.tenant_id, stated.module, stated.event_type)
       is distinct from (p_event_id, p_tenant_id, p_module, p_event_type) then
      raise exception 'the body of the event says something else than its row' using errcode = 'CN403';
    end if;
    if platform.acts_for(p_module) then
      return;
    end if;
    if not platform.acts_for('platform')
       or split_part(p_event_type, '.', 1) not in ('endpoint', 'webhook', 'credits', 'tenant')
          and stated.test::text is distinct from 'true' then
      raise exception 'the role % does not emit % for the module %', platform.calling_role(), p_event_type, p_module
        using errcode = 'CN403';
    end if;
  end $$;
`;

const EMIT_EVENT = `
  create or replace function platform_v1.emit_event(
    p_event_id uuid, p_tenant_id uuid, p_module text, p_event_type text, p_occurred_at timestamptz, p_body text,
    p_traceparent text
  ) returns integer
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    made integer;
  begin
    perform require_tenant(p_tenant_id);
    perform check_event(p_event_id, p_tenant_id, p_module, p_event_type, p_body);
    insert into event (event_id, tenant_id, module, event_type, occurred_at, body, traceparent, external_ref)
    values (p_event_id, p_tenant_id, p_module, p_event_type, p_occurred_at, p_body, p_traceparent, external_ref_of(p_body))
    on conflict do nothing;
    if not found then
      return 0;
    end if;
    insert into delivery (id, event_id, tenant_id, endpoint_id, module, event_type)
    select uuid_v7(), p_event_id, p_tenant_id, e.id, coalesce(e.module, p_module), p_event_type
      from webhook_endpoint e
     where e.tenant_id = p_tenant_id and receives(e, p_module, p_event_type);
    get diagnostics made = row_count;
    return made;
  end $$;
`;

/**
 * For the modules' own functions, which emit for several tenants at once: in a transaction of one tenant, only for that one. The events
 * are checked together. Only if that finds something, or a body has escapes (Postgres may not be able to parse it), are they checked
 * one by one, which allows what is allowed or states what is wrong.
 */
const EMIT_EVENTS = `
  create or replace function platform_v1.emit_events(p_events jsonb) returns void
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    own_tenant constant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
    modules text[];
    other_tenant boolean;
    altered boolean;
  begin
    select array_agg(distinct i.module), bool_or(i.tenant_id is distinct from coalesce(own_tenant, i.tenant_id)),
           bool_or((stated.event_id, stated.tenant_id, stated.module, stated.event_type)
                   is distinct from (i.event_id, i.tenant_id, i.module, i.event_type))
      into modules, other_tenant, altered
      from jsonb_to_recordset(p_events) as i(event_id uuid, tenant_id uuid, module text, event_type text, body text)
     cross join lateral json_to_record(case when strpos(i.body, '\\u') = 0 then i.body else '{}' end::json)
                           as stated(event_id uuid, tenant_id uuid, module text, event_type text);
    if other_tenant then
      perform require_tenant(v.tenant_id)
         from (select distinct i.tenant_id from jsonb_to_recordset(p_events) as i(tenant_id uuid)) v;
    end if;
    if altered or exists (select from unnest(modules) m where not acts_for(m)) then
      perform check_event(i.event_id, i.tenant_id, i.module, i.event_type, i.body)
         from jsonb_to_recordset(p_events)
                as i(event_id uuid, tenant_id uuid, module text, event_type text, body text);
    end if;
    with made as (
      insert into event (event_id, tenant_id, module, event_type, occurred_at, body, traceparent, external_ref)
      select i.event_id, i.tenant_id, i.module, i.event_type, i.occurred_at, i.body, i.traceparent,
             case when strpos(i.body, '"external_ref"') > 0 then external_ref_of(i.body) end
        from jsonb_to_recordset(p_events) as i(event_id uuid, tenant_id uuid, module text, event_type text,
                                               occurred_at timestamptz, body text, traceparent text)
      on conflict do nothing
      returning event_id, tenant_id, module, event_type
    )
    insert into delivery (id, event_id, tenant_id, endpoint_id, module, event_type)
    select uuid_v7(), m.event_id, m.tenant_id, e.id, coalesce(e.module, m.module), m.event_type
      from made m join webhook_endpoint e on e.tenant_id = m.tenant_id and receives(e, m.module, m.event_type);
  end $$;
`;

const GRANTS = `
  revoke all on function platform.check_event from public;
  revoke execute on function platform_v1.emit_events from platform_app, identity_app, compliance_app, signing_app;
`;
