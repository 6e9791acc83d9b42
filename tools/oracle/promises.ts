import { type IdPrefix, typeId, uuidOf } from '@constancia/kernel';
import { finding, type Query } from './finding.ts';
import { type Call, isFinal, type Journal, type Redemption, type Statement } from './journal.ts';

/** Where the things that clients ask for are, and the column that holds their reference. That of an envelope is sealed: see subjectsOf. */
const MADE: Record<Exclude<Call['kind'], 'envelope'>, { prefix: IdPrefix; sql: string }> = {
  signature: {
    prefix: 'sig',
    sql: `select id, subject_ref as ref from signing.signature_request where subject_ref = any ($1)`,
  },
  screening: {
    prefix: 'scr',
    sql: `select id, subject_ref as ref from compliance.screening where subject_ref = any ($1)
      union all select id, subject_ref from compliance.archived_screening where subject_ref = any ($1)`,
  },
  session: {
    prefix: 'fls',
    sql: `select id, external_ref as ref from identity.flow_session where external_ref = any ($1)`,
  },
  topup: {
    prefix: 'top',
    sql: `select id, external_ref as ref from platform.topup where external_ref = any ($1)`,
  },
  presentation: {
    prefix: 'wpr',
    sql: `select id, external_ref as ref from identity.wallet_presentation where external_ref = any ($1)`,
  },
};

const STATED: Record<Statement['kind'], { prefix: IdPrefix; sql: string }> = {
  'signer signed': { prefix: 'sgn', sql: `select id, status from signing.envelope_signer where id = any ($1)` },
  'session ended': { prefix: 'fls', sql: `select id, status from identity.flow_session where id = any ($1)` },
  'request answered': { prefix: 'wpr', sql: `select id, status from identity.wallet_presentation where id = any ($1)` },
  'verification released': {
    prefix: 'oic',
    sql: `select distinct client_id as id, 'released' as status from identity.oidc_release where client_id = any ($1)`,
  },
};

/** Points 1, 9 and 10: what was acknowledged is there, once; what was refused is not; every call got its answer in the end. */
export async function brokenPromises(query: Query, journal: Journal, signingUrl: string): Promise<string[]> {
  const found = [...journal.surprises, ...journal.redemptions.flatMap(brokenRedemption)];
  for (const [kind, { prefix, sql }] of Object.entries(MADE)) {
    const calls = journal.calls.filter((call) => call.kind === kind);
    const made = new Map<string, string[]>();
    for (const { id, ref } of await query<{ id: string; ref: string }>(sql, [calls.map(({ ref }) => ref)]))
      made.set(ref, [...(made.get(ref) ?? []), typeId(prefix, id)]);
    for (const call of calls) found.push(...brokenPromise(call, made.get(call.ref) ?? []));
  }
  const envelopes = journal.calls.filter(({ kind }) => kind === 'envelope');
  const subjects = await subjectsOf(envelopes, signingUrl);
  for (const call of envelopes) {
    const made = subjects.filter(({ subject }) => subject === call.ref).map(({ id }) => id);
    found.push(...brokenPromise(call, made));
  }
  for (const [kind, { prefix, sql }] of Object.entries(STATED)) {
    const statements = journal.statements.filter((statement) => statement.kind === kind);
    const ids = statements.map(({ id }) => uuidOf(prefix, id));
    const rows = await query<{ id: string; status: string }>(sql, [ids]);
    const stored = new Map(rows.map(({ id, status }) => [typeId(prefix, id), status]));
    for (const { id, status } of statements)
      if (stored.get(id) !== status)
        found.push(finding(`${kind} was answered`, `${id} ${status}, stored ${stored.get(id) ?? 'nothing'}`));
  }
  return found;
}

/** A code is redeemed once, however often it is sent; and somebody gets its tokens, if every time was answered for good. */
function brokenRedemption(statuses: Redemption): string[] {
  const redeemed = statuses.filter((status) => status === 200).length;
  if (redeemed > 1) return [finding('a code was redeemed more than once', statuses.join(', '))];
  return redeemed === 0 && statuses.every(isFinal)
    ? [finding('a code whose tokens nobody got', statuses.join(', '))]
    : [];
}

interface Shown {
  id: string;
  subject: string | null;
}

/** Envelopes of the callers, as their API shows them: newest first, until a page has none of these calls. */
async function subjectsOf(calls: readonly Call[], signingUrl: string): Promise<Shown[]> {
  const refs = new Set<string | null>(calls.map(({ ref }) => ref));
  const shown: Shown[] = [];
  for (const apiKey of new Set(calls.map((call) => call.apiKey))) {
    for (let cursor: string | null = ''; cursor !== null;) {
      const from: string = cursor && `&cursor=${cursor}`;
      const response = await fetch(`${signingUrl}/v1/envelopes?limit=100${from}`, { headers: { 'X-API-Key': apiKey } });
      if (!response.ok) throw new Error(`envelopes cannot be listed: ${response.status} ${await response.text()}`);
      const page = (await response.json()) as { data: Shown[]; next_cursor: string | null };
      shown.push(...page.data);
      cursor = page.data.some(({ subject }) => refs.has(subject)) ? page.next_cursor : null;
    }
  }
  return shown;
}

function brokenPromise({ kind, ref, outcome, ids, sent, status }: Call, made: string[]): string[] {
  const what = `${kind} ${ref} (${outcome}${status ? ` ${status}` : ''}, sent ${sent} times)`;
  if (outcome === 'unanswered') return [finding('never answered', what)];
  if (outcome === 'refused') return made.length === 0 ? [] : [finding('refused and made all the same', what)];
  if (made.length === 0) return [finding('acknowledged and lost', `${what}: ${ids.join(', ')}`)];
  if (made.length > 1 || ids.length > 1)
    return [finding('asked for once, made more often', `${what}: ${made.join(', ')}`)];
  return made[0] === ids[0] ? [] : [finding('acknowledged under another id', `${what}: ${ids[0]}, stored ${made[0]}`)];
}
