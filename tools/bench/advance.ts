/**
 * advance without biometrics: a bundled platform process on durable Postgres with a KMS beside it. Sessions are opened beforehand;
 * then their steps are sent at their times, five a second, whether earlier ones were answered or not, and waiting counts. consent is
 * one transaction; the steps of a sandbox trigger are what every worked step costs but for the engine: the run, the hold of 80
 * credits, the outcome's transaction with its capture, trail and events.
 */
import { Pool } from 'undici';
import { benchDeployment } from './bench-deployment.ts';
import { atRate, percentilesOf, report } from './measure.ts';

const RATE = 5;
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 60);
const APPROVE = '1999000001';
const STEPS: [name: string, input: object][] = [
  ['consent', { accepted: true }],
  ['document_upload', { doc_front_uri: 'asset://sandbox/front', doc_back_uri: 'asset://sandbox/back' }],
  ['face_match', { selfie_uri: 'asset://sandbox/selfie' }],
  ['sarlaft', {}],
];

const { stack, call } = await benchDeployment(['platform'], { durable: true });
const http = new Pool(stack.baseUrl, { connections: 64 });

const post = (path: string, body?: object) => call<Record<string, unknown>>(http, 'POST', path, body);

async function advance(session: string, input: object): Promise<void> {
  const { status, body } = await post(`/v1/flows/sessions/${session}/advance`, { input });
  if (status !== 200 || body.last_outcome !== 'advance') throw new Error(JSON.stringify(body));
}

try {
  await post('/v1/flows/seed-default');
  const sessions: string[] = [];
  for (let nth = 0; nth < SESSIONS; nth++) {
    const opened = await post('/v1/flows/sessions', { document_type: 'CC', document_number: APPROVE, country: 'CO' });
    sessions.push(opened.body.id as string);
  }
  const rows = [];
  for (const [name, input] of STEPS) {
    const times = await atRate(RATE, SESSIONS, (nth) => advance(sessions[nth] as string, input));
    rows.push({
      name: `advance: ${name}, ${RATE} a second, ${SESSIONS} sessions`,
      ours: percentilesOf(times),
      other: '–',
      ratio: null,
      goal: 'p95 ≤ 50 ms',
    });
  }
  report(rows);
} finally {
  await http.close();
  await stack.close();
}
process.exit(0);
