/**
 * A batch of envelopes, from its first byte to the last stored row: a bundled signing process on durable Postgres. The other side is the
 * same envelopes as single requests, as fast as they are answered, in the same run, the two in turn. Nobody is mailed.
 */
import { sleep } from '@constancia/kernel';
import { Pool } from 'undici';
import { contractPdf } from '../e2e/deployment.fixture.ts';
import { benchDeployment } from './bench-deployment.ts';
import { compare, perSecond, report } from './measure.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 2_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SINGLE_MS = 6_000;
const CALLERS = 32;
const VALUES = { amount: '$ 1.250.000', city: 'Bogotá', due: '2027-03-31' };

const { stack, integrator } = await benchDeployment(['platform', 'signing'], { durable: true });
const http = new Pool(stack.signingUrl, { connections: 64 });

interface Batch {
  id: string;
  status: string;
  processed: number;
  skipped: number;
}

async function call<Body>(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object | string | Buffer,
): Promise<Body> {
  const isPdf = Buffer.isBuffer(body);
  const type = isPdf ? 'application/pdf' : typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
  const answer = await http.request({
    method,
    path,
    headers: { 'x-api-key': integrator.apiKey, ...(body !== undefined && { 'content-type': type }) },
    body: typeof body === 'object' && !isPdf ? JSON.stringify(body) : body,
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text) as Body;
}

async function circuit(): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/v1/circuits', { code: 'bench', name: 'Bench' });
  await call('POST', `/v1/circuits/${id}/base-pdf`, await contractPdf());
  const roles = ['buyer', 'seller'];
  await call('PUT', `/v1/circuits/${id}/definition`, {
    signers: roles.map((role, nth) => ({ role, auth: ['otp_email'], order: nth + 1 })),
    fields: [
      ...roles.map((signer, nth) => ({ key: `${signer}_signature`, page: 1, x: 72, y: 100 + nth * 90, type: 'signature', signer })), // prettier-ignore
      { key: 'amount', page: 1, x: 72, y: 400, type: 'text', signer: 'sender' },
      { key: 'due', page: 1, x: 72, y: 430, type: 'date', signer: 'sender' },
      { key: 'city', page: 1, x: 72, y: 460, type: 'text', signer: 'buyer' },
    ],
  });
  await call('POST', `/v1/circuits/${id}/publish`);
  return id;
}

let sent = 0;
/** An envelope of a row or a body, each with signers and values of its own. */
function envelope(): object {
  const nth = sent++;
  return {
    external_ref: `loan-${nth}`,
    signers: ['buyer', 'seller'].map((role) => ({ role, email: `${role}-${nth}@correo.example`, name: 'María Ñáñez' })),
    values: VALUES,
    notify: false,
  };
}

/** Rows a second, of one batch. */
async function batch(circuitId: string, rows = ROWS): Promise<number> {
  const lines = Array.from({ length: rows }, () => JSON.stringify(envelope())).join('\n');
  const began = performance.now();
  const { id } = await call<Batch>('POST', `/v1/envelope-batches?circuit_id=${circuitId}`, lines);
  const accepted = performance.now();
  for (;;) {
    const { status, processed, skipped } = await call<Batch>('GET', `/v1/envelope-batches/${id}`);
    if (status === 'completed') {
      if (processed !== rows || skipped !== 0) throw new Error(`${processed} rows of ${rows}, ${skipped} skipped`);
      break;
    }
    if (status !== 'processing') throw new Error(`the batch is ${status}`);
    await sleep(50);
  }
  const ended = performance.now();
  console.error(`accepted in ${(accepted - began).toFixed(0)} ms, done after ${(ended - began).toFixed(0)} ms`);
  return (rows * 1_000) / (ended - began);
}

try {
  const circuitId = await circuit();
  const single = () => call('POST', '/v1/envelopes', { circuit_id: circuitId, ...envelope() });
  await perSecond(CALLERS, 2_000, single);
  await batch(circuitId, Math.min(ROWS, 200));
  const { ours, other, ratio } = await compare(
    ROUNDS,
    () => batch(circuitId),
    () => perSecond(CALLERS, SINGLE_MS, single),
  );
  report([
    {
      name: `Batch of ${ROWS.toLocaleString('en')} envelopes of two signers, each with values`,
      ours: `${ours.toFixed(0)} rows/s`,
      other: `single requests, ${CALLERS} at a time: ${other.toFixed(0)}/s`,
      ratio,
      goal: '≥ 1',
    },
  ]);
} finally {
  await http.close();
  await stack.close();
}
process.exit(0);
