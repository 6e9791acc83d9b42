import { type IdPrefix, typeId } from '@constancia/kernel';
import { breaking, finding, type Query } from './finding.ts';

interface Expectation {
  /** Types of event that are about the same thing. */
  types: readonly string[];
  /** Members of the payload that name what the event is about. */
  about: readonly string[];
  /** What must have been announced, and how often: (type, id, other?, times). */
  expected: string;
  prefix: IdPrefix;
  otherPrefix?: IdPrefix;
}

/** Which states must have been announced, and as what. */
const EXPECTED: readonly Expectation[] = [
  {
    types: ['seal.signature.completed', 'seal.signature.failed'],
    about: ['request_id'],
    prefix: 'sig',
    expected: `select case status when 'signed' then 'seal.signature.completed' else 'seal.signature.failed' end as type, id,
      1 as least, 1 as most from signing.signature_request where status <> 'pending'`,
  },
  {
    types: [
      'seal.envelope.sent', 'seal.envelope.completed', 'seal.envelope.failed', 'seal.envelope.declined', 'seal.envelope.voided',
      'seal.envelope.expired',
    ], // prettier-ignore
    about: ['envelope_id'],
    prefix: 'env',
    expected: `select 'seal.envelope.sent' as type, id, 1 as least, 1 as most from signing.envelope
      union all select 'seal.envelope.' || case status when 'sealed' then 'completed' else status end, id, 1, 1
        from signing.envelope where status in ('sealed', 'failed', 'declined', 'voided', 'expired')`,
  },
  {
    types: ['seal.envelope.signed'],
    about: ['envelope_id', 'signer.id'],
    prefix: 'env',
    otherPrefix: 'sgn',
    expected: `select 'seal.envelope.signed' as type, envelope_id as id, id as other, 1 as least, 1 as most
      from signing.envelope_signer where status = 'signed'`,
  },
  {
    types: ['screening.completed'],
    about: ['screening_id'],
    prefix: 'scr',
    // Nothing about a case with a ROS draft may leave the house from then on.
    expected: `select 'screening.completed' as type, s.id, case when c.ros_draft is null then 1 else 0 end as least, 1 as most
      from compliance.screening s left join compliance.review_case c on c.id = s.case_id`,
  },
  {
    types: ['case.opened'],
    about: ['case_id'],
    prefix: 'cas',
    expected: `select 'case.opened' as type, id, 1 as least, 1 as most from compliance.review_case`,
  },
  {
    types: ['case.resolved'],
    about: ['case_id'],
    prefix: 'cas',
    expected: `select 'case.resolved' as type, id,
        case when status = 'resolved' and reopened_count = 0 and ros_draft is null and decision <> 'true_match' then 1 else 0 end as least,
        reopened_count + case status when 'resolved' then 1 else 0 end as most
      from compliance.review_case`,
  },
  {
    types: ['subject.verified'],
    about: ['subject_id'],
    prefix: 'sub',
    expected: `select 'subject.verified' as type, subject_id as id, count(*)::int as least, count(*)::int as most
      from (select subject_id from identity.flow_session where status = 'completed'
            union all select subject_id from identity.wallet_presentation where status = 'approved') verified group by subject_id`,
  },
  {
    types: [
      'wallet.presentation.approved', 'wallet.presentation.declined', 'wallet.presentation.expired', 'wallet.consent.revoked',
    ], // prettier-ignore
    about: ['presentation_id'],
    prefix: 'wpr',
    expected: `select 'wallet.presentation.' || status as type, id, 1 as least, 1 as most
        from identity.wallet_presentation where status in ('approved', 'declined', 'expired')
      union all select 'wallet.consent.revoked', id, 1, 1 from identity.wallet_presentation where consent_revoked_at is not null`,
  },
  {
    types: ['subject.rejected'],
    about: ['session_id'],
    prefix: 'fls',
    expected: `select 'subject.rejected' as type, id,
        case when rejection_reason in ('expired', 'erased') then 0 else 1 end as least, 1 as most
      from identity.flow_session where status = 'failed'`,
  },
  {
    types: ['flow.session.manual_review'],
    about: ['session_id'],
    prefix: 'fls',
    expected: `select 'flow.session.manual_review' as type, id, case status when 'manual_review' then 1 else 0 end as least, 1 as most
      from identity.flow_session where status <> 'in_progress'`,
  },
  {
    types: ['credits.balance.credited', 'credits.balance.reversed'],
    about: ['topup_id'],
    prefix: 'top',
    expected: `select case kind when 'topup' then 'credits.balance.credited' else 'credits.balance.reversed' end as type, ref_id as id,
        count(*)::int as least, count(*)::int as most
      from platform.credit_entry where ref_type = 'topup' group by 1, 2`,
  },
];

/** What payments moved, with the amount and the balance that the ledger's entry has. */
const CREDITS: Record<string, string> = {
  'credits that payments moved and no event says so once, or an event that no entry explains': `
    select type || ' of ' || tenant_id || ': ' || amount || ' credits to ' || balance || ', entries ' || coalesce(e.times, 0) || ', events ' || coalesce(v.times, 0) as broken
      from (select tenant_id, case kind when 'topup' then 'credits.balance.credited' else 'credits.balance.reversed' end as type,
                   abs(amount) as amount, balance_after as balance, count(*) as times
              from platform.credit_entry where ref_type = 'topup' group by 1, 2, 3, 4) e
      full join (select tenant_id, event_type as type, (body::jsonb #>> '{payload,amount_credits}')::bigint as amount,
                        (body::jsonb #>> '{payload,balance_after}')::bigint as balance, count(*) as times
                   from platform.event where event_type in ('credits.balance.credited', 'credits.balance.reversed') group by 1, 2, 3, 4) v
        using (tenant_id, type, amount, balance)
     where e.times is distinct from v.times`,
};

const DELIVERIES: Record<string, string> = {
  'an event without its delivery': `
    select v.event_type || ' ' || v.event_id || ' to ' || e.module as broken
      from platform.event v join platform.webhook_endpoint e
        on e.tenant_id = v.tenant_id and platform.receives(e, v.module, v.event_type) and e.created_at < v.occurred_at
       and v.only_endpoint_id is null
     where not exists (select from platform.delivery d where d.event_id = v.event_id and d.endpoint_id = e.id)`,
  'an event with two deliveries to one endpoint': `
    select d.event_id::text as broken from platform.delivery d where d.replay_run_id is null
     group by d.event_id, d.endpoint_id having count(*) > 1`,
  'a delivery of no event': `
    select d.id::text as broken from platform.delivery d
     where not exists (select from platform.event v where v.event_id = d.event_id and v.tenant_id = d.tenant_id)`,
};

interface Announced {
  type: string;
  about: string;
  times: number;
}

/** Points 5 and 3: every end was announced exactly once, nothing else was, and every event has a delivery per endpoint. */
export async function brokenEvents(query: Query): Promise<string[]> {
  const found: string[] = [];
  for (const expectation of EXPECTED) {
    const { types, about, prefix, otherPrefix } = expectation;
    const members = about.map((member) => `body::jsonb #>> '{payload,${member.split('.').join(',')}}'`);
    const announced = await query<Announced>(
      `select event_type as type, concat_ws(' ', ${members.join(', ')}) as about, count(*)::int as times
         from platform.event where event_type = any ($1) group by 1, 2`,
      [types],
    );
    const counts = new Map(announced.map((each) => [`${each.type} ${each.about}`, each.times]));
    const expected = await query<{ type: string; id: string; other?: string; least: number; most: number }>(
      expectation.expected,
    );
    for (const { type, id, other, least, most } of expected) {
      const key = [type, typeId(prefix, id), ...(other && otherPrefix ? [typeId(otherPrefix, other)] : [])].join(' ');
      const times = counts.get(key) ?? 0;
      counts.delete(key);
      if (times < least || times > most)
        found.push(finding('an end that was not announced once', `${key} announced ${times} times`));
    }
    for (const [key, times] of counts) found.push(finding('an event of nothing that happened', `${key} (${times})`));
  }
  return [...found, ...(await breaking(query, { ...CREDITS, ...DELIVERIES }))];
}
