import { appendOnly, tenantTable } from '@constancia/persistence';

/**
 * Proof of an erasure, and what it kept under a legal duty. `covers`: the receipts whose blocked data this one shows (its own, and those
 * of earlier erasures of the same person). `ended_at`: the duty is over, the keys are destroyed. `erasure_access`: who read blocked data, and why.
 */
export const ERASURES = `
  create table compliance.erasure_receipt (
    id uuid primary key,
    tenant_id uuid not null,
    subject_refs text[] not null,
    actor text not null,
    erased_at timestamptz(3) not null default now(),
    covers uuid[] not null,
    key_ids uuid[] not null,
    erased text[] not null,
    kept text[] not null,
    kept_until timestamptz(3),
    ended_at timestamptz(3),
    constraint erasure_receipt_kept check (cardinality(kept) = 0 or kept_until is not null)
  );
  create index erasure_receipt_refs on compliance.erasure_receipt using gin (subject_refs);
  create index erasure_receipt_due on compliance.erasure_receipt (kept_until) where ended_at is null and kept_until is not null;
  ${tenantTable('compliance', 'erasure_receipt', ['select', 'insert'])}
  grant update (kept, ended_at) on compliance.erasure_receipt to compliance_app;
  create table compliance.erasure_access (
    id uuid primary key,
    tenant_id uuid not null,
    receipt_id uuid not null references compliance.erasure_receipt,
    actor text not null,
    reason text not null check (reason <> ''),
    at timestamptz(3) not null default now()
  );
  create index erasure_access_of on compliance.erasure_access (receipt_id, id);
  ${tenantTable('compliance', 'erasure_access', ['select', 'insert'])}
  ${appendOnly('compliance', 'erasure_access')}`;

const TENANT_CHECK = `
    if p_tenant_id is distinct from nullif(current_setting('app.tenant_id', true), '')::uuid then
      raise exception 'the transaction is of another tenant' using errcode = 'insufficient_privilege';
    end if;`;
const AS_OWNER = 'language plpgsql security definer set search_path = compliance, pg_temp set enable_seqscan = off';

/**
 * \`begin_erasure\` waits for the tenant's units of work under way: none seals with a key that is closed beside it. \`block_subject\`
 * hides everything of the references and ends their monitoring; answers what there was. \`blocked_rows\` reads what receipts block.
 * \`ended_duties\`: receipts of all tenants whose time is over.
 */
export const ERASURE_FUNCTIONS = `
  create function compliance.begin_erasure(p_tenant_id uuid) returns void ${AS_OWNER} as $$
  begin ${TENANT_CHECK}
    perform platform_v1.lock_accounts(array[p_tenant_id]);
  end $$;

  create function compliance.block_subject(p_tenant_id uuid, p_receipt_id uuid, p_refs text[])
  returns table (screenings bigint, cases bigint, monitored bigint, dismissed bigint) ${AS_OWNER} as $$
  begin ${TENANT_CHECK}
    delete from monitored_subject m where m.tenant_id = p_tenant_id and m.subject_ref = any (p_refs);
    get diagnostics monitored = row_count;
    delete from suppressed_hit h where h.tenant_id = p_tenant_id and h.subject_ref = any (p_refs);
    get diagnostics dismissed = row_count;
    update screening s set erasure_id = p_receipt_id
     where s.tenant_id = p_tenant_id and s.subject_ref = any (p_refs) and s.erasure_id is null;
    get diagnostics screenings = row_count;
    update review_case c set erasure_id = p_receipt_id
     where c.tenant_id = p_tenant_id and c.subject_ref = any (p_refs) and c.erasure_id is null;
    get diagnostics cases = row_count;
    return next;
  end $$;

  create function compliance.blocked_screenings(p_tenant_id uuid, p_receipts uuid[]) returns setof compliance.screening ${AS_OWNER} as $$
  begin ${TENANT_CHECK}
    return query select s.* from screening s where s.tenant_id = p_tenant_id and s.erasure_id = any (p_receipts) order by s.id;
  end $$;
  create function compliance.blocked_cases(p_tenant_id uuid, p_receipts uuid[]) returns setof compliance.review_case ${AS_OWNER} as $$
  begin ${TENANT_CHECK}
    return query select c.* from review_case c where c.tenant_id = p_tenant_id and c.erasure_id = any (p_receipts) order by c.id;
  end $$;

  create function compliance.ended_duties(p_limit integer) returns table (tenant_id uuid, id uuid) ${AS_OWNER} as $$
  begin
    return query select r.tenant_id, r.id from erasure_receipt r
      where r.ended_at is null and r.kept_until <= now() order by r.kept_until limit p_limit;
  end $$;
  revoke all on function compliance.begin_erasure, compliance.block_subject, compliance.blocked_screenings,
    compliance.blocked_cases, compliance.ended_duties from public;
  grant execute on function compliance.begin_erasure, compliance.block_subject, compliance.blocked_screenings,
    compliance.blocked_cases, compliance.ended_duties to compliance_app`;
