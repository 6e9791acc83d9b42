/**
 * Authenticated reads of the platform process, alone and while the biometrics worker's process compares faces on the same machine:
 * fifty a second at their times, whether earlier ones were answered or not, and waiting counts. Faces are compared through advance by
 * one caller more than the worker has children, so that each always has a pair in progress.
 */
import os from 'node:os';
import { Pool } from 'undici';
import { firstPair, hasFaces } from '../../libs/face-matching/src/shared-faces.fixture.ts';
import { cedulaOf, Onboarding } from '../e2e/identity.fixture.ts';
import { benchDeployment } from './bench-deployment.ts';
import { atRate, type BenchRow, percentilesOf, report } from './measure.ts';

const RATE = 50;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const CALLERS = Math.max(1, os.availableParallelism() - 1) + 1;
const HOLDER = { documentNumber: '1090246817', surname1: 'FAJARDO', surname2: 'YEPES', givenName1: 'PAULA', givenName2: 'SOFÍA', birthDate: '1990-07-21' }; // prettier-ignore

if (!hasFaces) throw new Error('../shared/faces is not here: nothing to compare.');

const { stack, integrator } = await benchDeployment(['platform', 'biometrics-worker'], { durable: false });
const http = new Pool(stack.baseUrl, { connections: 64 });
await integrator.platform.POST('/v1/flows/seed-default');
const [portrait, selfie] = firstPair({ same: true });
const cedula = await cedulaOf(HOLDER, portrait);

/** A session that has its document and its selfie, and what its face_match is to be sent. */
async function atFaceMatch(): Promise<{ onboarding: Onboarding; input: object }> {
  const onboarding = await Onboarding.open(stack, integrator, HOLDER);
  await onboarding.consent();
  const { body } = await onboarding.document(cedula);
  if (body.current_step !== 'face_match') throw new Error(JSON.stringify(body));
  return { onboarding, input: { selfie_uri: await onboarding.upload('selfie', selfie), liveness_mode: 'basic' } };
}

/** The milliseconds of each read, from when it was due. */
const reads = (path: string): Promise<number[]> =>
  atRate(RATE, RATE * SECONDS, async () => {
    const headers = { 'x-api-key': integrator.apiKey };
    const { statusCode, body } = await http.request({ method: 'GET', path, headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`the read answered ${statusCode}`);
  });

/** Compares faces until it is stopped; answers the milliseconds of each face_match. */
async function faces(sessions: Awaited<ReturnType<typeof atFaceMatch>>[], signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (let next = sessions.pop(); next && !signal.aborted; next = sessions.pop()) {
        const from = performance.now();
        const { body } = await next.onboarding.advance(next.input);
        if (body.current_step !== 'sarlaft') throw new Error(JSON.stringify(body));
        times.push(performance.now() - from);
      }
    }),
  );
  if (!signal.aborted) throw new Error('there were too few sessions to compare faces all the time');
  return times;
}

const row = (name: string, ours: string, goal = '–'): BenchRow => ({ name, ours, other: '–', ratio: null, goal });

try {
  const sessions = [];
  // One comparison of each child takes 0.3 s at the least.
  for (let nth = 0; nth < (SECONDS + 2) * 3 * (CALLERS - 1); nth++) sessions.push(await atFaceMatch());
  const route = `/v1/flows/sessions/${sessions[0]!.onboarding.id}`;
  await reads(route); // warm
  const alone = await reads(route);
  const stop = new AbortController();
  const comparing = faces(sessions, stop.signal);
  const beside = await reads(route);
  stop.abort();
  const compared = await comparing;
  report([
    row(`GET of a session, ${RATE} a second`, percentilesOf(alone)),
    row(`GET of a session, ${RATE} a second, while faces are compared`, percentilesOf(beside), 'p99 ≤ 25 ms'),
    row(
      `face_match meanwhile, ${CALLERS} callers at a time, through HTTP`,
      `${compared.length} in ${SECONDS} s, ${percentilesOf(compared)}`,
    ),
  ]);
} finally {
  await http.close();
  await stack.close();
}
process.exit(0);
