/**
 * Adds events to the timeline of a case and counts the change. The caller holds the case's row lock, or takes it here.
 * p_events: `[{type, actor, from, to, data}]`, data canonical JSON as text. Refuses another tenant's case (no_data_found).
 */
export const APPEND_CASE_EVENTS = `
  create function compliance.append_case_events(p_tenant_id uuid, p_case_id uuid, p_events jsonb) returns void
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    event jsonb;
    link case_event;
  begin
    perform 1 from review_case where id = p_case_id and tenant_id = p_tenant_id for update;
    if not found then
      raise exception 'the tenant has no such case' using errcode = 'no_data_found';
    end if;
    for event in select e from jsonb_array_elements(p_events) with ordinality as x(e, nth) order by nth loop
      link := append_case_event(p_tenant_id, p_case_id, event);
    end loop;
    if link.seq is not null then
      update review_case set head_seq = link.seq, head_hash = link.hash, version = version + 1 where id = p_case_id;
    end if;
  end $$;
  revoke all on function compliance.append_case_events from public;
  grant execute on function compliance.append_case_events to compliance_app`;

/**
 * Opens a case for a screening, or attaches the screening to the open one: in the unit of work that stores the screening. What it
 * takes for granted was read before; when that no longer holds it raises CN409, nothing of the unit happens, and the caller reads
 * again. p_args: `{case_id, opens, expected_version, case: {columns of review_case}, events: [{type, actor, from, to, data}]}`;
 * expected_version is null when a case is opened: then the subject must have none that is open.
 */
export const ATTACH_TO_CASE = `
  create function compliance.attach_to_case(p_tenant_id uuid, p_args jsonb) returns void
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    v_id uuid := (p_args ->> 'case_id')::uuid;
    facts review_case;
  begin
    facts := jsonb_populate_record(null::review_case, p_args -> 'case');
    if (p_args ->> 'opens')::boolean then
      insert into review_case (id, tenant_id, subject_ref, subject_type, validation_code, validation_version, screening_id,
          last_screening_id, request_id, screening_decision, screening_score, rules_fired, list_hits, list_versions, subject,
          hits, priority, opened_at, due_at)
      values (v_id, p_tenant_id, facts.subject_ref, facts.subject_type, facts.validation_code, facts.validation_version,
          facts.screening_id, facts.last_screening_id, facts.request_id, facts.screening_decision, facts.screening_score,
          facts.rules_fired, facts.list_hits, facts.list_versions, facts.subject, facts.hits, facts.priority,
          facts.opened_at, facts.due_at)
      on conflict (tenant_id, subject_ref, subject_type, validation_code) where status <> 'resolved' do nothing;
    else
      update review_case
         set validation_version = facts.validation_version, last_screening_id = facts.last_screening_id,
             request_id = coalesce(facts.request_id, request_id), screening_decision = facts.screening_decision,
             screening_score = facts.screening_score, rules_fired = facts.rules_fired, list_hits = facts.list_hits,
             list_versions = facts.list_versions, subject = facts.subject, hits = facts.hits,
             priority = facts.priority, due_at = facts.due_at, status = facts.status, proposal = facts.proposal
       where id = v_id and tenant_id = p_tenant_id and status <> 'resolved'
         and version = (p_args ->> 'expected_version')::integer;
    end if;
    if not found then
      raise exception 'the case is no longer what the screening was decided on' using errcode = 'CN409';
    end if;
    perform append_case_events(p_tenant_id, v_id, p_args -> 'events');
  end $$;
  revoke all on function compliance.attach_to_case from public;
  grant execute on function compliance.attach_to_case to compliance_app`;

/** Notes once in the timeline of each case, whoever calls it how often, that its time is over. Answers how many there were. */
export const BREACH_OVERDUE = `
  create function compliance.breach_overdue_cases(p_limit integer) returns integer
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    overdue record;
    breached integer := 0;
  begin
    for overdue in
      select id, tenant_id, status, due_at from review_case
       where due_at <= now() and status <> 'resolved' and sla_breached_at is null
       order by due_at limit p_limit for update skip locked
    loop
      update review_case set sla_breached_at = now() where id = overdue.id;
      perform append_case_events(overdue.tenant_id, overdue.id, jsonb_build_array(jsonb_build_object(
        'type', 'sla_breached', 'actor', 'system', 'from', overdue.status, 'to', overdue.status,
        'data', '{"due_at":"' || to_char(overdue.due_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || 'Z"}')));
      breached := breached + 1;
    end loop;
    return breached;
  end $$;
  revoke all on function compliance.breach_overdue_cases from public;
  grant execute on function compliance.breach_overdue_cases to compliance_app`;

/**
 * Keeps the heads of timelines that grew since, at most p_limit cases of one tenant: as an event of the tenant's journal (a chain
 * itself), and each as a row. A timeline that is cut afterwards no longer holds them. Answers how many heads were kept.
 */
export const ANCHOR_HEADS = `
  create function compliance.anchor_case_heads(p_limit integer) returns integer
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    v_tenant uuid;
    v_ids uuid[];
    heads text;
    link case_journal;
  begin
    select tenant_id into v_tenant from review_case where head_seq > anchored_seq limit 1;
    select array_agg(id), '{"heads":[' || string_agg(
             '{"case_id":"' || id || '","hash":"' || head_hash || '","seq":' || head_seq || '}', ',' order by id) || ']}'
      into v_ids, heads
      from (select id, head_seq, head_hash from review_case
             where tenant_id = v_tenant and head_seq > anchored_seq order by id limit p_limit for update skip locked) grown;
    if v_ids is null then
      return 0;
    end if;
    link := append_case_journal(v_tenant, v_tenant, jsonb_build_object('type', 'anchored', 'actor', 'system', 'data', heads));
    insert into case_anchor (tenant_id, case_id, seq, hash, journal_seq)
    select tenant_id, id, head_seq, head_hash, link.seq from review_case where id = any (v_ids);
    update review_case set anchored_seq = head_seq where id = any (v_ids);
    return cardinality(v_ids);
  end $$;
  revoke all on function compliance.anchor_case_heads from public;
  grant execute on function compliance.anchor_case_heads to compliance_app`;

/** One cell of an export: a text that would run gets an apostrophe, one that holds what separates cells is quoted (RFC 4180). */
export const CSV_CELL = `
  create function compliance.csv_cell(p_text text, p_runs text, p_quoted text) returns text
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $$
  begin
    if p_text ~ p_runs then p_text := '''' || p_text; end if;
    if p_text ~ p_quoted then p_text := '"' || replace(p_text, '"', '""') || '"'; end if;
    return p_text;
  end $$;
  revoke all on function compliance.csv_cell from public;
  grant execute on function compliance.csv_cell to compliance_app`;

/** A UUID as a TypeID: 128 bits as 26 characters of Crockford's base32. As libs/kernel writes it. */
export const TYPE_ID = `
  create function compliance.type_id(p_prefix text, p_id uuid) returns text
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $$
  declare
    bits bit varying := B'00' || ('x' || replace(p_id::text, '-', ''))::bit(128);
    written text := p_prefix || '_';
  begin
    for i in 0..25 loop
      written := written
        || substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substring(bits from 1 + 5 * i for 5)::bit(5)::int, 1);
    end loop;
    return written;
  end $$;
  revoke all on function compliance.type_id from public;
  grant execute on function compliance.type_id to compliance_app`;

/** The next lines of an export's cursor, as one text. */
export const NEXT_LINES = `
  create function compliance.next_lines(p_cursor refcursor, p_most int, out text text, out rows int, out ros int)
  language plpgsql set search_path = pg_catalog, pg_temp as $$
  declare
    taken record;
  begin
    text := ''; rows := 0; ros := 0;
    while rows < p_most loop
      fetch p_cursor into taken;
      exit when not found;
      text := text || taken.line || E'\\r\\n';
      rows := rows + 1;
      ros := ros + taken.ros::int;
    end loop;
  end $$;
  revoke all on function compliance.next_lines from public;
  grant execute on function compliance.next_lines to compliance_app`;
