import { PRICE } from '@constancia/contracts';
import { breaking, type Query } from './finding.ts';

/** What is charged when it is made, with the price that its row shows. */
const CHARGED = `(
  select id, tenant_id, 'signature' as ref_type, credits_debited, credits_refunded from signing.signature_request
  union all select id, tenant_id, 'envelope', credits_debited, credits_refunded from signing.envelope
  union all select id, tenant_id, 'screening', credits_debited, 0 from compliance.screening where credits_debited > 0
  union all select id, tenant_id, 'screening', credits_debited, 0 from compliance.archived_screening where credits_debited > 0
  union all select id, tenant_id, 'oidc_release', ${PRICE.kycReuse}, 0 from identity.oidc_release)`;

/** What holds its price until its outcome is known. */
const HOLDING = `(
  select id, tenant_id, 'step' as ref_type, hold_id from identity.step_run
  union all select id, tenant_id, 'presentation', hold_id from identity.wallet_presentation)`;

const ENTRY = `select e.ref_id, e.ref_type, e.kind, sum(e.quantity)::int as credits, count(*)::int as entries, min(e.tenant_id::text) as tenant
  from platform.credit_entry e group by 1, 2, 3`;

/** Entries that are in archived files: how many of each kind of thing, and their credits. */
const ARCHIVED = `select t.tenant_id, t.ref_type, t.kind, sum(t.archived_entries)::int as entries, sum(t.archived_quantity)::int as credits
  from platform.credit_daily_total t where t.archived_entries > 0 group by 1, 2, 3`;

/** SQL of the entries of one kind that things `w` have, in the ledger (e) and, for all of a tenant and type, in files (a). */
const ofKind = (kind: string): string => `
  left join (${ENTRY}) e on e.ref_id = w.id and e.ref_type = w.ref_type and e.kind = '${kind}'
  left join (${ARCHIVED}) a on a.tenant_id = w.tenant_id and a.ref_type = w.ref_type and a.kind = '${kind}'`;

/** SQL: what the files of a tenant have of a kind is what the things without such an entry in the ledger show. */
const inFiles = (kind: 'debit' | 'refund', shown: string): string => `
  select a.tenant_id || ' ' || a.ref_type || ' ' || a.credits || ', shown ' || coalesce(x.shown, 0) as broken
    from (${ARCHIVED}) a
    left join (select w.tenant_id, w.ref_type, sum(${shown}) as shown from ${CHARGED} w ${ofKind(kind)}
                where e.entries is null group by 1, 2) x on x.tenant_id = a.tenant_id and x.ref_type = a.ref_type
   where a.kind = '${kind}' and coalesce(x.shown, 0) <> a.credits`;

const RULES: Record<string, string> = {
  'the ledger of a tenant': `select tenant_id::text || ' ' || problem as broken from platform.verify_ledger()`,
  'a balance below zero without a reversal, or a negative hold': `
    select a.tenant_id::text as broken from platform.credit_account a
     where a.held < 0 or (a.available < 0 and not exists (
       select from platform.credit_entry e where e.tenant_id = a.tenant_id and e.kind = 'reversal'))`,
  'not exactly one debit of the price': `
    select w.ref_type || ' ' || w.id || ' shows ' || w.credits_debited || ', debited ' || coalesce(e.credits, 0)
           || ' in ' || coalesce(e.entries, 0) as broken
      from ${CHARGED} w ${ofKind('debit')}
     where case when e.entries is null then a.entries is null
                else e.entries <> 1 or e.credits <> w.credits_debited or e.tenant <> w.tenant_id::text end`,
  'debits in files that the things without one in the ledger do not show': inFiles('debit', 'w.credits_debited'),
  'a debit of nothing that exists': `
    select e.ref_type || ' ' || e.ref_id as broken from (${ENTRY}) e
      left join ${CHARGED} w on w.id = e.ref_id and w.ref_type = e.ref_type
     where e.kind = 'debit' and w.id is null`,
  'a refund that the request does not show, or the other way round': `
    select w.ref_type || ' ' || w.id as broken from ${CHARGED} w ${ofKind('refund')}
     where case when e.entries is null and a.entries is not null then false else coalesce(e.credits, 0) <> w.credits_refunded end`,
  'refunds in files that the things without one in the ledger do not show': inFiles('refund', 'w.credits_refunded'),
  'a hold of nothing that exists, or a step or request without the hold that it names': `
    select coalesce('hold ' || h.id, r.ref_type || ' ' || r.id) as broken
      from platform.credit_hold h full join ${HOLDING} r on r.hold_id = h.id
     where (h.id is not null and (r.id is null or h.ref_id <> r.id or h.tenant_id <> r.tenant_id))
        or (h.id is null and r.hold_id is not null)`,
  'a hold that the outcome of its step does not explain': `
    select 'hold ' || h.id || ' ' || h.status || ', step ' || r.status || ' ' || coalesce(r.outcome, '') as broken
      from platform.credit_hold h join identity.step_run r on r.hold_id = h.id
     where (r.status = 'applied' and r.outcome in ('pass', 'reject', 'review') and h.status <> 'captured')
        or (r.status = 'applied' and r.outcome in ('retry', 'error') and h.status <> 'released')
        or (r.status <> 'applied' and h.status <> 'held')`,
  'a top-up that its entries do not explain, or entries of no top-up': `
    select coalesce(t.id, e.ref_id)::text || ' shows ' || coalesce(t.applied_credits, 0) || ', entries ' || coalesce(e.credits, 0) as broken
      from platform.topup t full join (
        select ref_id, sum(amount) as credits from platform.credit_entry where ref_type = 'topup' group by 1) e on e.ref_id = t.id
     where t.id is null or t.applied_credits <> coalesce(e.credits, 0)`,
  'a top-up that was credited more than it is worth at some moment': `
    select t.id::text as broken from platform.topup t
      join (select ref_id, max(sofar) as most
              from (select ref_id, sum(amount) over (partition by ref_id order by seq) as sofar
                      from platform.credit_entry where ref_type = 'topup') each group by 1) e on e.ref_id = t.id
     where e.most > t.amount_credits`,
};

/** Points 2, 3, 9 and 11: balances follow from entries; one debit per chargeable thing, none without one. */
export const brokenMoney = (query: Query): Promise<string[]> => breaking(query, RULES);
