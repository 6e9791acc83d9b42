/**
 * For the sweep that seals what the release before wrote in the clear: where it stands in each table (rows are taken in the order of
 * their ids), the next rows of all tenants, and the sealing of one screening with what monitoring keeps of it.
 */
export const SEALING_FUNCTIONS = `
  create table compliance.sealing_progress (
    table_name text primary key check (table_name in ('screening', 'review_case')),
    after_id uuid not null default '00000000-0000-0000-0000-000000000000',
    done_at timestamptz
  );
  insert into compliance.sealing_progress (table_name) values ('screening'), ('review_case');
  alter table compliance.sealing_progress enable row level security;
  alter table compliance.sealing_progress force row level security;
  create policy owner_rows on compliance.sealing_progress to compliance_owner using (true) with check (true);
  create policy app_rows on compliance.sealing_progress to compliance_app using (true) with check (true);
  grant select, update on compliance.sealing_progress to compliance_app;

  create function compliance.unsealed_rows(p_table text, p_after uuid, p_limit integer)
  returns table (tenant_id uuid, id uuid, subject_ref text)
  language plpgsql stable security definer set search_path = compliance, pg_temp set enable_seqscan = off as $$
  begin
    if p_table = 'screening' then
      return query select s.tenant_id, s.id, s.subject_ref from screening s
        where s.id > p_after and s.sealed_result is null order by s.id limit p_limit;
    else
      return query select c.tenant_id, c.id, c.subject_ref from review_case c
        where c.id > p_after and c.sealed is null order by c.id limit p_limit;
    end if;
  end $$;

  create function compliance.seal_screening(
    p_tenant_id uuid, p_id uuid, p_key_id uuid, p_payload bytea, p_facts bytea, p_result bytea, p_monitored bytea
  ) returns void
  language plpgsql security definer set search_path = compliance, pg_temp set enable_seqscan = off as $$
  begin
    if p_tenant_id is distinct from nullif(current_setting('app.tenant_id', true), '')::uuid then
      raise exception 'the transaction is of another tenant' using errcode = 'insufficient_privilege';
    end if;
    update screening
       set subject_key_id = p_key_id, sealed_payload = p_payload, sealed_facts = p_facts, sealed_result = p_result,
           facts = '{}', dismissed = '[]', result = ''
     where id = p_id and tenant_id = p_tenant_id and sealed_result is null;
    update monitored_subject m
       set payload = '', sealed_payload = p_monitored
      from screening s
     where s.id = p_id and s.tenant_id = p_tenant_id and m.tenant_id = s.tenant_id and m.validation_code = s.validation_code
       and m.subject_type = s.subject_type and m.subject_ref = s.subject_ref and m.screening_id = p_id;
  end $$;
  revoke all on function compliance.unsealed_rows, compliance.seal_screening from public;
  grant execute on function compliance.unsealed_rows, compliance.seal_screening to compliance_app`;
