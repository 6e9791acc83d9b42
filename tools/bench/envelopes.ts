/**
 * What a signer waits for, over HTTP and through every process. GET /v1/sign/{token}: asked for at fixed times, whether earlier ones were
 * answered or not, and waiting counts. Last signature → sealed: fifty envelopes, whose last signatures are sent at once.
 */
import { sleep, uuidOf } from '@constancia/kernel';
import { Pool } from 'undici';
import { contractPdf, inStore } from '../e2e/deployment.fixture.ts';
import { benchDeployment } from './bench-deployment.ts';
import { atRate, percentile, percentilesOf, report } from './measure.ts';

const ENVELOPES = 50;
const READS_PER_SECOND = 100;
const READ_SECONDS = 15;
const ACCESS_CODE = 'ceiba-2026';

const { stack, integrator } = await benchDeployment(['platform', 'signing', 'sealing-worker'], { durable: false });
const http = new Pool(stack.signingUrl, { connections: 64 });

/** @param proof of a signer's authentication */
async function call<Body>(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object | Buffer,
  proof?: string,
): Promise<Body> {
  const answer = await http.request({
    method,
    path,
    headers: {
      'x-api-key': integrator.apiKey,
      ...(proof !== undefined && { 'x-sign-proof': proof }),
      ...(body && { 'content-type': Buffer.isBuffer(body) ? 'application/pdf' : 'application/json' }),
    },
    body: body && (Buffer.isBuffer(body) ? body : JSON.stringify(body)),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path.slice(0, 12)}…: ${answer.statusCode} ${text}`);
  return JSON.parse(text) as Body;
}

async function circuit(): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/v1/circuits', { code: 'bench', name: 'Bench' });
  await call('POST', `/v1/circuits/${id}/base-pdf`, await contractPdf());
  await call('PUT', `/v1/circuits/${id}/definition`, {
    signers: ['a', 'b', 'c'].map((role) => ({ role, auth: ['access_code'], order: 1 })),
    fields: ['a', 'b', 'c'].flatMap((signer, nth) => [
      { key: `${signer}_signature`, page: 1, x: 72, y: 100 + nth * 90, type: 'signature', signer },
      { key: `${signer}_name`, page: 1, x: 300, y: 100 + nth * 90, type: 'name', signer },
      { key: `${signer}_date`, page: 1, x: 300, y: 130 + nth * 90, type: 'date', signer },
    ]),
  });
  await call('POST', `/v1/circuits/${id}/publish`);
  return id;
}

/** Answers the tokens of its three signers. */
async function envelope(circuitId: string): Promise<{ id: string; tokens: string[] }> {
  const signers = ['a', 'b', 'c'].map((role) => ({
    role,
    email: `${role}@correo.example`,
    name: 'María Ñáñez',
    access_code: ACCESS_CODE,
  }));
  const sent = await call<{ id: string; signers: { sign_token: string }[] }>('POST', '/v1/envelopes', {
    circuit_id: circuitId,
    signers,
    notify: false,
  });
  return { id: sent.id, tokens: sent.signers.map(({ sign_token }) => sign_token) };
}

/** By token of a signer, once authenticated. */
const proofs = new Map<string, string>();

async function authenticate(token: string): Promise<void> {
  const { consent } = await call<{ consent: { version: string } }>('GET', `/v1/sign/${token}`);
  await call('POST', `/v1/sign/${token}/consent`, { accepted: true, locale: 'es-CO', version: consent.version });
  const path = `/v1/sign/${token}/access-code`;
  const { proof } = await call<{ proof: { token: string } }>('POST', path, { code: ACCESS_CODE });
  proofs.set(token, proof.token);
}

async function sign(token: string): Promise<void> {
  const body = { signature: { type: 'typed', text: 'María Ñáñez' }, intent: true };
  await call('POST', `/v1/sign/${token}/sign`, body, proofs.get(token));
}

/** Milliseconds from the last signature of each of these envelopes to its seal, as the store tells; nobody asks the API meanwhile. */
async function sealTimes(envelopes: { id: string }[]): Promise<number[]> {
  const ids = envelopes.map(({ id }) => uuidOf('env', id));
  for (;;) {
    const rows = await inStore<{ sealed: boolean; ms: number }>(
      stack,
      `select e.status = 'sealed' as sealed, (extract(epoch from e.ended_at - max(s.signed_at)) * 1000)::float8 as ms
         from signing.envelope e join signing.envelope_signer s on s.envelope_id = e.id
        where e.id = any($1) group by e.id`,
      [ids],
    );
    if (rows.every(({ sealed }) => sealed)) return rows.map(({ ms }) => ms);
    await sleep(200);
  }
}

/** Milliseconds of each request in turn, from when it was due. */
const timed = (requests: (() => Promise<unknown>)[]): Promise<number[]> =>
  atRate(READS_PER_SECOND, READS_PER_SECOND * READ_SECONDS, async (nth) => requests[nth % requests.length]?.());

const shownMs = (times: number[]) => percentilesOf(times, [0.5, 0.99]);
const shownSeconds = (times: number[]) =>
  [0.5, 0.99].map((share) => `p${share * 100} ${(percentile(times, share) / 1000).toFixed(2)} s`).join(', ');

try {
  const circuitId = await circuit();
  const early = await envelope(circuitId);
  for (const token of early.tokens) {
    await authenticate(token);
    await sign(token);
  }
  await sealTimes([early]); // the worker has its key, its certificate and its processes
  const sent: { id: string; tokens: string[] }[] = [];
  for (let nth = 0; nth < ENVELOPES; nth++) sent.push(await envelope(circuitId));
  for (const token of sent.flatMap(({ tokens }) => tokens)) await authenticate(token);
  const reads = sent
    .flatMap(({ tokens }) => tokens)
    .map((token) => () => call('GET', `/v1/sign/${token}`, undefined, proofs.get(token)));
  await timed(reads.slice(0, 10)); // connections, plans and code are warm
  const constantTimes = await timed([() => call('GET', '/livez')]);
  const readTimes = await timed(reads);

  for (const { tokens: links } of sent) for (const token of links.slice(0, -1)) await sign(token);
  const answers: number[] = [];
  await Promise.all(
    sent.map(async ({ tokens: links }) => {
      const began = performance.now();
      await sign(links.at(-1) as string);
      answers.push(performance.now() - began);
    }),
  );
  const seals = await sealTimes(sent);
  report([
    {
      name: `GET /v1/sign/{token}, ${READS_PER_SECOND} a second`,
      ours: shownMs(readTimes),
      other: `${shownMs(constantTimes)} (/livez)`,
      ratio: null,
      goal: 'p99 ≤ 15 ms',
    },
    {
      name: `Last signatures of ${ENVELOPES} envelopes at once: answered`,
      ours: shownSeconds(answers),
      other: '–',
      ratio: null,
      goal: '–',
    },
    {
      name: `Last signature → sealed, ${ENVELOPES} at once`,
      ours: shownSeconds(seals),
      other: '–',
      ratio: null,
      goal: 'p99 ≤ 5 s',
    },
  ]);
} finally {
  await http.close();
  await stack.close();
}
process.exit(0);
