import { endpointIdOf } from '@constancia/events';
import { typeId, uuidv7 } from '@constancia/kernel';
import type { TestStack } from '@constancia/testing';
import { requestSignature } from '../e2e/deployment.fixture.ts';
import { type Grown, poster, RARE_TYPE } from './growth-history.ts';
import { subjectBody } from './screened-subjects.ts';

/** What runs SQL past row-level security. */
interface Store {
  query(sql: string, params?: unknown[]): Promise<unknown>;
}

/** What is called; a number is its own time in milliseconds, without what was done around it. */
export type Operations = Record<string, () => Promise<number | void>>;

/** A time when nothing of the history happened, and one long ago when a little did. */
const EMPTY = 'from=2015-01-01&to=2015-01-02';

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** The lists of a tenant, each with no filter, with filters that match nearly all, few, and nothing. */
function listsOf({ integrator: { tenantId }, rareEndpoint, templateId }: Grown): Record<'platform' | 'compliance' | 'signing', string[]> {
  const nobody = typeId('whe', uuidv7());
  return {
    platform: [
      ...['/v1/billing/balance', '/v1/billing/ledger', `/v1/billing/ledger?from=${day(1_000)}&to=${day(900)}`],
      ...[`/v1/billing/ledger?${EMPTY}`, `/v1/billing/usage?from=${day(60)}&to=${day(1)}`, '/v1/audit-log'],
      ...['/v1/events', '/v1/events?order=desc', '/v1/events?event_type=case.opened', '/v1/events?order=desc&module=billing'],
      ...[`/v1/events?event_type=${RARE_TYPE}`, `/v1/events?${EMPTY}`, '/v1/events?external_ref=nobody'],
      ...['', 'status=failed', 'status=pending', 'event_type=case.opened', `event_type=${RARE_TYPE}`, 'module=billing', EMPTY]
        .concat(`endpoint_id=${nobody}`, `endpoint_id=${typeId('whe', rareEndpoint)}`)
        .concat(`endpoint_id=${typeId('whe', endpointIdOf(tenantId, 'seal'))}`)
        .map((query) => `/webhook-deliveries?${query}`),
      ...['', 'kyc_status=rejected', 'kyc_status=approved', 'external_ref=nobody', 'external_ref=customer-7', 'document_type=PA']
        .map((query) => `/v1/kyc/subjects?${query}`),
      ...['', 'status=in_progress', 'status=failed', 'external_ref=nobody', 'external_ref=customer-7']
        .map((query) => `/v1/flows/sessions?${query}`),
    ],
    compliance: [
      ...['', 'status=resolved', 'status=escalated', 'priority=critical', 'assignee=nobody', 'subject_ref=customer-7', 'list=ONU']
        .concat('list=PEP', 'overdue=true', `due_before=${day(2_000)}`, EMPTY, `from=${day(1_000)}&to=${day(900)}`)
        .concat('q=inexistente', 'q=customer-7')
        .map((query) => `/v1/cases?${query}`),
      '/v1/cases/stats',
      ...['', 'decision=reject', 'validation_code=none', 'subject_ref=customer-7', 'subject_type=legal', 'trigger=identity']
        .concat('decision=reject&subject_type=legal').map((query) => `/v1/screenings?${query}`),
      ...['', 'subject_ref=customer-7', 'subject_type=legal', 'validation_code=none'].map((query) => `/v1/monitored-subjects?${query}`),
    ],
    signing: [
      ...['', 'status=signed', 'status=failed', 'subject_ref=customer-7', 'external_ref=nobody', `template_id=${templateId}`]
        .concat(`template_id=${typeId('tpl', uuidv7())}`).map((query) => `/v1/signatures?${query}`),
      ...['', 'status=sent&status=in_progress', 'status=voided', 'status=failed', 'external_ref=nobody', `circuit_id=${typeId('cir', uuidv7())}`]
        .map((query) => `/v1/envelopes?${query}`),
    ],
  };
} // prettier-ignore

const OPS = [
  '/ops/deliveries',
  '/ops/deliveries?status=failed',
  '/ops/endpoints',
  '/ops/tenants',
  '/ops/lag',
  '/ops/replays',
  '/ops/ledger/verify',
];
const OPS_OF: Partial<Record<'platform' | 'compliance' | 'signing', string[]>> = {
  platform: OPS,
  compliance: ['/ops/cases/overdue'],
  signing: ['/ops/seals', '/ops/seals?status=open', '/ops/seals?status=failed'],
};

/** Claims, sweeps and figures that processes run all the time. */
const SWEEPS = `
  identity.forget_sessions(100, 1825) identity.retire_assets(100, 90) identity.expire_step_runs(100) identity.sessions_to_expire(100)
  identity.step_run_backlog() identity.expire_presigns(100) compliance.breach_overdue_cases(100) compliance.note_cases_due_soon(100)
  compliance.claim_rescreen_v2(30) compliance.rescreen_backlog() compliance.screening_batch_backlog() signing.claim_sealing_v3(10,30)
  signing.claim_envelope_sealing_v2(10,30) signing.sealing_backlog() signing.envelope_sealing_backlog() signing.overdue_envelopes(100)
  signing.reminders_due(100) signing.envelopes_to_forget(100) signing.claim_evidence(10,30) signing.evidence_backlog()
  signing.claim_signer_mails_v4(10,30) signing.signer_mail_lag() platform.due_endpoints(100) platform.delivery_lag()
  platform.claim_replay(1000) platform.closings_due(100) platform.claim_disabled_notices(10)`
  .replaceAll(/, /g, ',').trim().split(/\s+/); // prettier-ignore

const DRY_RUNS: Record<string, object> = {
  'failed ones': {},
  'failed ones of a type that has none': { event_type: 'case.opened' },
  'delivered ones of a rare type': { status: ['delivered'], event_type: RARE_TYPE },
  'delivered ones of a type that has none': { status: ['delivered'], event_type: 'case.opened' },
  'pending ones': { status: ['pending'] },
  'delivered ones, at most 1,000': { status: ['delivered'], max: 1_000 },
  'missing ones': { missing: true, max: 1_000 },
};

/** Operations that must read everything, and take longer with more: docs/scaling.md. */
export const READS_ALL: ReadonlySet<string> = new Set(['GET /ops/ledger/verify', 'dry run of a replay, missing ones']);

/** Every operation, by name, for one tenant. First those that leave work behind: each sweep and claim finds some, for each tenant. */
export function operationsOf(stack: TestStack, grown: Grown, store: Store, opsToken: string): Operations {
  const { apiKey } = grown.integrator;
  const urls = { platform: stack.baseUrl, compliance: stack.complianceUrl, signing: stack.signingUrl };
  const operations: Operations = {};
  let nth = 1;
  const post = poster(apiKey);
  operations['POST /v1/screenings'] = async () => {
    await post(`${stack.complianceUrl}/v1/screenings`, subjectBody(nth++ * 20 + 1, 'new'));
  };
  operations['POST /v1/signatures'] = async () => {
    const response = await requestSignature(stack, grown.integrator, grown.templateId);
    if (response.status !== 202) throw new Error(`a signature: ${response.status} ${await response.text()}`);
  };
  for (const [app, paths] of Object.entries(listsOf(grown)) as [keyof typeof urls, string[]][]) {
    for (const path of paths) operations[`GET ${nameOf(path)}`] = () => get(urls[app] + path, { 'X-API-Key': apiKey });
    for (const path of OPS_OF[app] ?? []) {
      operations[`GET ${path}`] = () => get(stack.app(app).opsUrl + path, { authorization: `Bearer ${opsToken}` });
    }
  }
  for (const call of SWEEPS)
    operations[call.slice(0, call.indexOf('('))] = () => undone(store, `select * from ${call}`);
  for (const [name, body] of Object.entries(DRY_RUNS))
    operations[`dry run of a replay, ${name}`] = async () => {
      await post(`${stack.baseUrl}/webhook-deliveries/replays`, { ...body, dry_run: true });
    };
  return operations;
}

/** Ids that differ from tenant to tenant are left out. */
function nameOf(path: string): string {
  return path.replace(/\?$/, '').replaceAll(/(whe|tpl|cir)_\w+/g, '$1_…');
}

async function get(url: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status} ${text.slice(0, 300)}`);
}

/** @returns the milliseconds of the statement, without those of the transaction around it */
async function undone(store: Store, sql: string): Promise<number> {
  await store.query('begin');
  try {
    const began = performance.now();
    await store.query(sql);
    return performance.now() - began;
  } finally {
    await store.query('rollback');
  }
}
