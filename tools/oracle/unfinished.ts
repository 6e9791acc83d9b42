import { breaking, type Query } from './finding.ts';

/** Work that somebody still has to do, one row each: what kind and its id. Empty at rest. */
const OPEN_WORK: Record<string, string> = {
  signature: `select id from signing.signature_request where status = 'pending'`,
  envelope: `select id from signing.envelope where status = 'sealing'`,
  mail: `select id from signing.signer_mail where sent_at is null and failed_at is null`,
  'mail to a person': `select id from identity.wallet_mail`,
  'request whose time is over': `select id from identity.wallet_presentation where status = 'pending' and expires_at <= now()`,
  step: `select id from identity.step_run where status <> 'applied'`,
  'validation asked for': `select id from identity.flow where seed_request is not null`,
  replay: `select id from platform.replay_run where status = 'running'`,
  delivery: `select id from platform.delivery where next_attempt_at is not null`,
};

export interface OpenWork {
  kind: string;
  id: string;
}

/** All that waits at this moment. */
export function openWork(query: Query, without: readonly string[] = []): Promise<OpenWork[]> {
  const parts = Object.entries(OPEN_WORK)
    .filter(([kind]) => !without.includes(kind))
    .map(([kind, sql]) => `select '${kind}' as kind, w.id::text as id from (${sql}) w`);
  return query<OpenWork>(parts.join(' union all '));
}

/** What must be said of everything that has ended. */
const ENDS: Record<string, string> = {
  'a failed request without a reason, or its refund': `
    select id::text as broken from signing.signature_request where status = 'failed'
       and (failure_code is null or (failure_code in ('signing_unavailable', 'internal')
                                     and credits_refunded <> credits_debited))`,
  'a delivery that failed without saying why': `
    select id::text as broken from platform.delivery where status = 'failed' and (last_error is null or failed_at is null)`,
  'a delivered delivery without a successful attempt': `
    select d.id::text as broken from platform.delivery d
     where d.status = 'delivered' and not exists (
       select from platform.delivery_attempt a where a.delivery_id = d.id and a.http_status between 200 and 299)`,
};

/** Point 4 and 6: nothing waits any more, and what ended says how. */
export async function unfinished(query: Query, { pending = true } = {}): Promise<string[]> {
  const waiting = pending ? (await openWork(query)).map(({ kind, id }) => `still open: ${kind} ${id}`) : [];
  return [...waiting, ...(await breaking(query, ENDS))];
}
