/**
 * The first page of the queue, of a tenant with 100,000 cases: each filter of GET /v1/cases alone, where it matches nothing (all cases are
 * passed over) or the oldest ones (all others are), asked one after the other through the compliance app, a process of its own.
 */
import pg from 'pg';
import { manyCases } from '../../apps/compliance/src/cases/many-cases.fixture.ts';
import { NO_LIMITS, signUp, startDeployment } from '../e2e/deployment.fixture.ts';
import { percentile, percentilesOf, report } from './measure.ts';

const CASES = 100_000;
const REQUESTS = 100;
const GOAL_MS = 100;

const stack = await startDeployment({ env: { ...NO_LIMITS, LOG_LEVEL: 'warn' }, apps: ['platform', 'compliance'] });
const integrator = await signUp(stack);
const admin = new pg.Client({ connectionString: stack.cluster.adminUrl });
await admin.connect();
await manyCases(admin, integrator.tenantId, { count: CASES });
await admin.query('vacuum analyze compliance.review_case, compliance.case_term');

/** Shortly after the oldest case was opened. */
const old = new Date(Date.now() - (CASES - 50) * 1_000).toISOString();
const middle = new Date(Date.now() - (CASES / 2) * 1_000).toISOString();
const later = new Date(Date.now() + 30 * 86_400_000).toISOString();
const QUERIES: Record<string, string> = {
  'no filter': '',
  'status: half of them': 'status=resolved',
  'status: none': 'status=escalated',
  'priority: none': 'priority=critical',
  'assignee: none': 'assignee=nobody',
  'subject_ref: one': 'subject_ref=customer-7',
  'list: none': 'list=ONU',
  'list: all of them': 'list=PEP',
  'overdue: none': 'overdue=true',
  'due_before: none': `due_before=${old}`,
  'due_before: half of them': `due_before=${later}`,
  'to: the oldest': `to=${old}`,
  'to: the older half': `to=${middle}`,
  'q: a word that no name has': 'q=inexistente',
  'q: a reference': 'q=customer-7',
};

async function firstPage(query: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(`${stack.complianceUrl}/v1/cases?limit=100&${query}`, {
    headers: { 'X-API-Key': integrator.apiKey },
  });
  await response.text();
  if (response.status !== 200) throw new Error(`${query} answered ${response.status}`);
  return performance.now() - began;
}

try {
  const rows = [];
  for (const [name, query] of Object.entries(QUERIES)) {
    for (let n = 0; n < 10; n++) await firstPage(query);
    const ms: number[] = [];
    for (let n = 0; n < REQUESTS; n++) ms.push(await firstPage(query));
    const p95 = percentile(ms, 0.95);
    rows.push({
      name: `First 100 of ${CASES.toLocaleString('en')} cases, ${name}`,
      ours: percentilesOf(ms),
      other: '–',
      ratio: p95 / GOAL_MS,
      goal: `p95 < ${GOAL_MS} ms`,
    });
  }
  report(rows);
} finally {
  await admin.end();
  await stack.close();
}
