/** Days that a screening stays in the database in any case: five years, the least that SARLAFT asks for (ADR 0258). */
const FLOOR = `interval '1826 days'`;

const AS_OWNER = 'security definer set search_path = compliance, pg_temp set enable_seqscan = off';
/** As `to_jsonb` writes a row in a file, whatever the session has set. */
const AS_FILE = `${AS_OWNER} set timezone = 'UTC' set datestyle = 'ISO, YMD' set bytea_output = 'hex'`;

/** Of a screening `s` that nothing live refers to. */
const CLOSED = `s.sealed_result is not null and s.erasure_id is null
       and not exists (select from monitored_subject m
                        where m.tenant_id = s.tenant_id and m.validation_code = s.validation_code
                          and m.subject_type = s.subject_type and m.subject_ref = s.subject_ref and m.screening_id = s.id)
       and not exists (select from review_case c
                        where c.id = s.case_id and (c.status <> 'resolved' or s.id in (c.screening_id, c.last_screening_id)))`;

/**
 * Screenings that may go into a file, by time: those of before p_before, from p_from on. What is live stays: a screening that is not sealed
 * yet, one that an erasure blocks, the latest one of a monitored subject, those of a case that is not resolved, and the first and the last
 * one of any case, which its file and its reports show.
 */
export const ARCHIVABLE_SCREENINGS = `
  create function compliance.archivable_screenings(p_tenant_id uuid, p_from timestamptz, p_before timestamptz, p_limit integer)
  returns setof compliance.screening
  language plpgsql stable ${AS_OWNER} as $$
  begin
    return query
    select s.* from screening s
     where s.tenant_id = p_tenant_id and s.created_at >= p_from and s.created_at < least(p_before, now() - ${FLOOR})
       and ${CLOSED}
     order by s.created_at, s.id limit p_limit;
  end $$`;

/**
 * The screenings of the next file: of the first tenant that has any, from where its newest file ends; p_limit and 2 MB at most. Those that
 * stayed when a file passed them are looked at again when the tenant is named and nothing follows its newest file.
 */
export const NEXT_ARCHIVE = `
  create function compliance.next_screening_archive(p_tenant_id uuid, p_before timestamptz, p_limit integer)
  returns table (tenant_id uuid, seq bigint, line text, head_before text, previous_sha256 text)
  language plpgsql stable ${AS_FILE} as $$
  declare
    v_tenant uuid;
    v_last screening_archive;
    v_from timestamptz;
  begin
    for v_tenant in
      with recursive screened(id) as (
        (select s.tenant_id from screening s where p_tenant_id is null or s.tenant_id = p_tenant_id order by s.tenant_id limit 1)
        union all
        select (select s.tenant_id from screening s where s.tenant_id > t.id and p_tenant_id is null order by s.tenant_id limit 1)
          from screened t where t.id is not null
      )
      select t.id from screened t where t.id is not null
    loop
      select * into v_last from screening_archive a where a.tenant_id = v_tenant order by a.through_seq desc limit 1;
      v_from := coalesce(v_last.last_at, '-infinity');
      if p_tenant_id is not null and not exists (select from archivable_screenings(v_tenant, v_from, p_before, 1)) then
        v_from := '-infinity';
      end if;
      return query
      select r.tenant_id, coalesce(v_last.through_seq, 0) + r.nth, r.line, coalesce(v_last.head_after, repeat('0', 64)), v_last.sha256
        from (select w.*, sum(octet_length(w.line)) over (order by w.nth) as bytes
                from (select s.tenant_id, row_number() over (order by s.created_at, s.id) as nth, to_jsonb(s)::text as line
                        from archivable_screenings(v_tenant, v_from, p_before, p_limit) s) w) r
       where r.nth = 1 or r.bytes <= 2000000
       order by r.nth;
      if found then
        return;
      end if;
    end loop;
  end $$`;

/**
 * Records a file that was written, signed and read back, and deletes its screenings (p_archive -> 'ids', in their order), in one
 * transaction: false, and nothing is changed, when another run was faster, or when they are not any more what the file has, as after an
 * erasure. p_rows: SHA-256 of the file's rows, joined by line feeds. What rules, lists, erasures and comparisons with the ledger look up of a screening stays in
 * archived_screening. Erasures wait for the same lock.
 */
export const RECORD_ARCHIVE = `
  create function compliance.record_screening_archive(p_archive jsonb, p_rows text) returns boolean
  language plpgsql volatile ${AS_FILE} as $$
  declare
    v_new screening_archive := accept_screening_archive(p_archive);
    v_ids constant uuid[] := array(select jsonb_array_elements_text(p_archive -> 'ids'))::uuid[];
    v_found record;
  begin
    if v_new.tenant_id is null then
      return false;
    end if;
    perform platform_v1.lock_accounts(array[v_new.tenant_id]);
    if cardinality(v_ids) <> v_new.through_seq - v_new.from_seq + 1 then
      raise exception 'the file has another number of rows than it says' using errcode = 'CN409';
    end if;
    select count(*) as screenings, min(s.created_at) as first_at, max(s.created_at) as last_at,
           encode(sha256(convert_to(string_agg(to_jsonb(s)::text, E'\\n' order by i.nth), 'UTF8')), 'hex') as rows_sha256
      into v_found
      from unnest(v_ids) with ordinality i(id, nth) join screening s on s.id = i.id and s.tenant_id = v_new.tenant_id
     where s.created_at < now() - ${FLOOR} and ${CLOSED};
    if v_found.screenings <> cardinality(v_ids) or v_found.rows_sha256 <> p_rows then
      return false;
    end if;
    v_new.first_at := v_found.first_at;
    v_new.last_at := v_found.last_at;
    insert into screening_archive select (v_new).*;
    insert into archived_screening (id, tenant_id, seq, validation_code, subject_type, subject_ref, trigger, decision, credits_debited,
                                    created_at)
    select s.id, s.tenant_id, v_new.from_seq + i.nth - 1, s.validation_code, s.subject_type, s.subject_ref, s.trigger, s.decision,
           s.credits_debited, s.created_at
      from unnest(v_ids) with ordinality i(id, nth) join screening s on s.id = i.id;
    delete from screening s where s.tenant_id = v_new.tenant_id and s.id = any (v_ids);
    return true;
  end $$`;
