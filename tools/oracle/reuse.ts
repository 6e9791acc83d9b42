import { PRICE } from '@constancia/contracts';
import { breaking, type Query } from './finding.ts';

/** What the ledger says of each request for a kept verification. */
const ENTRIES = `select ref_id, count(*) filter (where kind = 'hold') as holds, count(*) filter (where kind = 'release') as releases,
    count(*) filter (where kind = 'capture') as captures, sum(quantity) filter (where kind = 'capture') as credits
  from platform.credit_entry where ref_type = 'presentation' group by 1`;

const RULES: Record<string, string> = {
  'a request for a kept verification that its hold does not explain': `
    select p.id || ' ' || p.status || ', hold ' || h.status as broken
      from identity.wallet_presentation p join platform.credit_hold h on h.id = p.hold_id
     where h.status <> case p.status when 'approved' then 'captured' when 'pending' then 'held' else 'released' end`,
  'not one debit for an approved request, or one for another request': `
    select p.id || ' ' || p.status || ': ' || coalesce(e.holds, 0) || ' holds, ' || coalesce(e.captures, 0) || ' debits of '
           || coalesce(e.credits, 0) || ', ' || coalesce(e.releases, 0) || ' releases' as broken
      from identity.wallet_presentation p left join (${ENTRIES}) e on e.ref_id = p.id
     where p.hold_id is not null
       and (coalesce(e.holds, 0), coalesce(e.captures, 0), coalesce(e.releases, 0), coalesce(e.credits, 0))
           <> (1, case p.status when 'approved' then 1 else 0 end, case when p.status in ('approved', 'pending') then 0 else 1 end,
               case p.status when 'approved' then ${PRICE.kycReuse} else 0 end)`,
  'an approved request without its subject, or without what was given': `
    select p.id::text as broken
      from identity.wallet_presentation p left join identity.subject s on s.id = p.subject_id and s.tenant_id = p.tenant_id
     where p.status = 'approved' and (s.id is null or (p.sealed_claims is null and s.erased_at is null))`,
  'a request that ended otherwise and gave something': `
    select id::text as broken from identity.wallet_presentation
     where status <> 'approved' and (subject_id is not null or sealed_claims is not null)`,
};

/** Point 12: what persons answered is in the ledger and in the tenant's records, once. */
export const brokenReuse = (query: Query): Promise<string[]> => breaking(query, RULES);
