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
    told jsonb;
  begin
    if platform.is_administrator() then
      return;
    end if;
    told := p_body::jsonb;
    if (told ->> 'event_id')::uuid is distinct from p_event_id or (told ->> 'tenant_id')::uuid is distinct from p_tenant_id
       or told ->> 'module' is distinct from p_module or told ->> 'event_type' is distinct from p_event_type then
      raise exception 'the body of the event says something else than its row' using errcode = 'CN403';
    end if;
    if platform.acts_for(p_module) then
      return;
    end if;
    if not platform.acts_for('platform')
       or split_part(p_event_type, '.', 1) not in ('endpoint', 'webhook', 'credits', 'tenant')
          and told -> 'test' is distinct from 'true' then
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
    insert into event (event_id, tenant_id, module, event_type, occurred_at, body, traceparent)
    values (p_event_id, p_tenant_id, p_module, p_event_type, p_occurred_at, p_body, p_traceparent)
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

/** For the modules' own functions, which emit for several tenants at once: in a transaction of one tenant, only for that one. */
const EMIT_EVENTS = `
  create or replace function platform_v1.emit_events(p_events jsonb) returns void
  language plpgsql security definer set search_path = platform, pg_temp as $$
  begin
    if nullif(current_setting('app.tenant_id', true), '') is not null then
      perform require_tenant(v.tenant_id)
         from (select distinct i.tenant_id from jsonb_to_recordset(p_events) as i(tenant_id uuid)) v;
    end if;
    perform check_event(i.event_id, i.tenant_id, i.module, i.event_type, i.body)
       from jsonb_to_recordset(p_events)
              as i(event_id uuid, tenant_id uuid, module text, event_type text, body text);
    with made as (
      insert into event (event_id, tenant_id, module, event_type, occurred_at, body, traceparent)
      select i.event_id, i.tenant_id, i.module, i.event_type, i.occurred_at, i.body, i.traceparent
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
