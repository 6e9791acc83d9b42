import http from 'node:http';
import { eventually, type TestStack, type WebhookSink } from '@constancia/testing';
import sharp from 'sharp';
import { grantCredits, inStore, type Integrator, requestSignature, uploadTemplate } from './deployment.fixture.ts';
import { publishedCircuit, sendEnvelope, signByHttp } from './envelopes.fixture.ts';
import { type Cedula, cedulaOf, type Holder, Onboarding, readyForOnboarding } from './identity.fixture.ts';

const HOLDER: Holder = { documentNumber: '1096173528', surname1: 'ARRIETA', surname2: 'BUSTOS', givenName1: 'NELLY', givenName2: 'ROCÍO', birthDate: '1984-02-29' }; // prettier-ignore
const APPROVED_IN_SANDBOX: Holder = { ...HOLDER, documentNumber: '1999000001' };
const SANDBOX_DOCUMENT = { doc_front_uri: 'asset://sandbox/front', doc_back_uri: 'asset://sandbox/back' };
const SANDBOX_FACE = { selfie_uri: 'asset://sandbox/selfie', liveness_mode: 'basic' };

/** What the clients did so far, by kind, and all that went wrong. */
export interface Load {
  done: Record<string, number>;
  failures: string[];
  /** Lets every client end what it is at. */
  stop(): Promise<void>;
}

/** What the clients need: made once, before anything is replaced. */
export interface Ground {
  integrator: Integrator;
  templateId: string;
  circuitId: string;
  /** A signer's link that nobody signs by. */
  openToken: string;
  cedula: Cedula;
}

/** Credits, endpoints for every module, a template, a circuit, flows and rules. */
export async function prepareGround(stack: TestStack, sink: WebhookSink, integrator: Integrator): Promise<Ground> {
  await grantCredits(stack, integrator);
  for (const module of ['seal', 'identity', 'compliance'] as const) {
    await integrator.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
      params: { path: { id: integrator.tenantId, module } },
      body: { url: sink.url },
    });
  }
  await readyForOnboarding(integrator);
  const portrait = await sharp({ create: { width: 240, height: 300, channels: 3, background: '#b08968' } })
    .jpeg()
    .toBuffer();
  const circuitId = await publishedCircuit(stack, integrator, { parts: [{ role: 'tenant', order: 1 }] });
  const waiting = await sendEnvelope(stack, integrator, circuitId, [
    { role: 'tenant', email: 'waiting@canary.example', name: 'Inés Peña' },
  ]);
  return {
    integrator,
    templateId: await uploadTemplate(stack, integrator),
    circuitId,
    openToken: waiting.signers[0]?.sign_token as string,
    cedula: await cedulaOf(HOLDER, portrait),
  };
}

/**
 * Clients of every kind, each at one thing after the other, over connections that they keep, until stopped.
 *
 * @param patience how many times longer than usual each pauses between two things
 */
export function steadyLoad(stack: TestStack, ground: Ground, patience = 1): Load {
  const { integrator, templateId, circuitId, openToken, cedula } = ground;
  const done: Record<string, number> = {};
  const failures: string[] = [];
  let running = true;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const client = async (kind: string, pauseMs: number, work: () => Promise<unknown>): Promise<void> => {
    while (running) {
      try {
        await work();
        done[kind] = (done[kind] ?? 0) + 1;
      } catch (error) {
        const { message, cause } = error as Error;
        failures.push(`${kind}: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}`);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs * patience));
    }
  };
  const read = (url: string) => async () => {
    const status = await get(url, agent, integrator.apiKey);
    if (status !== 200) throw new Error(`${new URL(url).pathname.slice(0, 12)} answered ${status}`);
  };
  let people = 0;
  const clients = [
    client('signature', 150, async () => {
      const response = await requestSignature(stack, integrator, templateId);
      if (response.status !== 202) throw new Error(`answered ${response.status}: ${await response.text()}`);
      await response.json();
    }),
    client('screening', 200, async () => {
      const { response, error } = await integrator.compliance.POST('/v1/screenings', {
        params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
        body: { subject_ref: `customer-${people++}`, subject_type: 'natural', payload: { full_name: 'Nelly Arrieta' } },
      });
      if (error) throw new Error(`answered ${response.status}: ${JSON.stringify(error)}`);
    }),
    client('envelope', 400, async () => {
      const email = `signer-${people++}@canary.example`;
      const sent = await sendEnvelope(stack, integrator, circuitId, [{ role: 'tenant', email, name: 'Inés Peña' }]);
      await signByHttp(stack, (address) => stack.mailbox.messages(address), sent.signers[0] as { sign_token: string; email: string }); // prettier-ignore
    }),
    client('session', 250, async () => {
      const onboarding = await Onboarding.open(stack, integrator, APPROVED_IN_SANDBOX);
      for (const input of [{ accepted: true }, SANDBOX_DOCUMENT, SANDBOX_FACE, {}]) await advanced(onboarding, input);
    }),
    client('document', 100, async () => {
      const onboarding = await Onboarding.open(stack, integrator, HOLDER);
      await advanced(onboarding, { accepted: true });
      let answer = await onboarding.document(cedula);
      if (answer.body.last_outcome === 'processing') answer = await onboarding.settled();
      if (answer.status !== 200 || answer.body.current_step !== 'face_match')
        throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }),
    client('balance', 50, read(`${stack.baseUrl}/v1/billing/balance`)),
    client('lists', 50, read(`${stack.complianceUrl}/v1/lists`)),
    client('templates', 50, read(`${stack.signingUrl}/v1/templates`)),
    client('signer', 50, read(`${stack.signingUrl}/v1/sign/${openToken}`)),
    client('page', 50, read(`${stack.signUrl}/${openToken}`)),
  ];
  return {
    done,
    failures,
    async stop() {
      running = false;
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

async function advanced(onboarding: Onboarding, input: object): Promise<void> {
  const { status, body } = await onboarding.advance(input);
  if (status !== 200) throw new Error(`advance answered ${status}: ${JSON.stringify(body)}`);
}

function get(url: string, agent: http.Agent, apiKey: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers: { 'X-API-Key': apiKey } }, (response) => {
      response.once('error', reject).resume().once('end', () => resolve(response.statusCode ?? 0)); // prettier-ignore
    });
    request.once('error', reject);
  });
}

/** Waits until nothing is pending: no request, no envelope that everybody signed, no run, no delivery. */
export function atRest(stack: TestStack, timeoutMs = 40_000): Promise<void> {
  return eventually(
    async () => {
      const [row] = await inStore<{ pending: string | null }>(stack, PENDING);
      if (row?.pending) throw new Error(`still pending: ${row.pending}`);
    },
    timeoutMs,
    200,
  );
}

const PENDING = `
  select string_agg(kind || ' ' || rows, ', ') as pending from (
    select 'signature' as kind, count(*) as rows from signing.signature_request where status = 'pending'
    union all select 'envelope', count(*) from signing.envelope where status = 'sealing'
    union all select 'step run', count(*) from identity.step_run where finished_at is null
    union all select 'delivery', count(*) from platform.delivery where status in ('pending', 'delivering')
  ) as work where rows > 0`;

/** The longest that an accepted signature, an envelope signed by all, and an event waited, in milliseconds. */
export async function longestWaits(stack: TestStack): Promise<{ signature: number; delivery: number }> {
  const [row] = await inStore<{ signature: number; delivery: number }>(
    stack,
    `select (select max(extract(epoch from signed_at - created_at) * 1000)::int from signing.signature_request) as signature,
            (select max(extract(epoch from delivered_at - created_at) * 1000)::int from platform.delivery) as delivery`,
  );
  return row as { signature: number; delivery: number };
}

/** Events that the receiver did not get exactly once: `<event id>: <times>`. */
export async function notOnce(stack: TestStack, sink: WebhookSink, tenantId: string): Promise<string[]> {
  const events = await inStore<{ event_id: string }>(
    stack,
    'select event_id from platform.event where tenant_id = $1',
    [tenantId],
  );
  const times = new Map<string, number>(events.map(({ event_id }) => [event_id, 0]));
  for (const { headers } of sink.received) {
    const id = headers['webhook-id'] as string;
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  return [...times].filter(([, count]) => count !== 1).map(([id, count]) => `${id}: ${count}`);
}
