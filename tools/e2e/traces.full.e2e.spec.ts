import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import {
  APPS,
  containsNumber,
  eventually,
  type ReceivedDelivery,
  type TestStack,
  webhookSink,
  type WebhookSink,
} from '@constancia/testing';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { firstPair, hasFaces } from '../../libs/face-matching/src/shared-faces.fixture.ts';
import { ancestry, type Collector, type ReceivedSpan, spanOf, startCollector } from './collector.fixture.ts';
import {
  httpOf,
  type Integrator,
  NO_LIMITS,
  requestSignature,
  settled,
  signUp,
  startDeployment,
  uploadTemplate,
} from './deployment.fixture.ts';
import { envelopeIn, newCode, publishedCircuit, sendEnvelope, signByHttp } from './envelopes.fixture.ts';
import { cedulaOf, type Holder, Onboarding, readyForOnboarding } from './identity.fixture.ts';

const HOLDER: Holder = { documentNumber: '1098347561', surname1: 'ZULUAGA', surname2: 'QUIJANO', givenName1: 'WILFRIDA', givenName2: 'OTILIA', birthDate: '1986-07-19' }; // prettier-ignore
const READ: Holder = { documentNumber: '1017254398', surname1: 'QUIROZ', surname2: 'ZAMUDIO', givenName1: 'TARSICIO', givenName2: 'ELADIO', birthDate: '1991-03-02' }; // prettier-ignore
const SCREENED = { full_name: 'Ximeno Valdelomar Urquijo', document_number: '71938264' };
const SIGNER = 'signer-zq@canary-signers.example';
const ADVANCE = 'POST /v1/flows/sessions/{id}/advance';
/** Server, client and internal spans, as OTLP numbers them. */
const KIND = { internal: 1, server: 2, client: 3 };

/** A traceparent as a caller with tracing of its own sends it. */
function callersTrace(): { traceId: string; traceparent: string } {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
}

const traceIdOf = ({ headers }: ReceivedDelivery) => /^00-([0-9a-f]{32})-/.exec(headers.traceparent ?? '')?.[1] ?? '';
const spanIdOf = ({ headers }: ReceivedDelivery) => headers.traceparent?.split('-')[2] ?? '';

if (!hasFaces) console.warn('skipped: the photos of ../shared/faces are not here');

describe('traces', () => {
  let collector: Collector;
  let stack: TestStack;
  let sink: WebhookSink;
  let integrator: Integrator;
  const secrets: string[] = [];
  let code = '';

  beforeAll(async () => {
    collector = await startCollector();
    stack = await startDeployment({
      env: { ...NO_LIMITS, LOG_LEVEL: 'trace', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    });
    sink = await webhookSink();
    integrator = await signUp(stack);
    secrets.push(integrator.apiKey, integrator.webhookSecret, integrator.ownerEmail, ...Object.values(SCREENED));
    for (const module of ['seal', 'compliance', 'identity'] as const) {
      await integrator.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
        params: { path: { id: integrator.tenantId, module } },
        body: { url: `${sink.url}/${module}` },
      });
    }
    await readyForOnboarding(integrator);
  });
  afterAll(async () => {
    await stack?.close();
    await sink?.close();
    await collector?.close();
  });

  const deliveryOf = (type: string, about: string) =>
    sink.waitFor(({ body }) => body.includes(`"${type}"`) && body.includes(about), 30_000);

  async function signed(): Promise<{ id: string; delivery: ReceivedDelivery; trace: ReceivedSpan[] }> {
    const templateId = await uploadTemplate(stack, integrator);
    const { id } = (await (await requestSignature(stack, integrator, templateId)).json()) as { id: string };
    await settled(stack, integrator, id);
    const delivery = await deliveryOf('seal.signature.completed', id);
    const names = ['POST /v1/signatures', 'seal', 'webhook attempt'];
    return { id, delivery, trace: await collector.trace(traceIdOf(delivery), names) };
  }

  it('a signature is one trace across three processes, from the request to the receiver', async () => {
    const { delivery, trace } = await signed();
    expect(spanOf(trace, 'POST /v1/signatures')).toMatchObject({
      app: 'signing',
      kind: KIND.server,
      parentSpanId: undefined,
      attributes: { 'http.route': '/v1/signatures', 'http.response.status_code': 202 },
    });
    expect(spanOf(trace, 'seal').app).toBe('sealing-worker');
    const attempt = spanOf(trace, 'webhook attempt');
    expect(attempt).toMatchObject({ app: 'webhook-dispatcher', kind: KIND.client, failed: false });
    expect(ancestry(trace, attempt)).toEqual(['webhook attempt', 'seal complete', 'seal', 'POST /v1/signatures']);
    expect(spanIdOf(delivery)).toBe(attempt.spanId);
    expect(trace.filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1);
  });

  it('goes on with the trace of a caller that has one, and says it in the log', async () => {
    const { traceId, traceparent } = callersTrace();
    await httpOf(stack)(`${stack.baseUrl}/v1/billing/balance`, {
      headers: { 'X-API-Key': integrator.apiKey, traceparent },
    });
    const [span] = await collector.trace(traceId, ['GET /v1/billing/balance']);
    expect(span?.parentSpanId).toBe(traceparent.split('-')[2]);
    await eventually(() => expect(stack.app('platform').log).toContain(`"trace_id":"${traceId}"`), 5_000);
  });

  it('a replay of one delivery, or of many, begins a new trace with a link to the first', async () => {
    const { id, delivery, trace } = await signed();
    const first = spanOf(trace, 'seal complete'); // where the event was written
    const { data } = await integrator.platform.GET('/webhook-deliveries', {
      params: { query: { event_id: (JSON.parse(delivery.body) as { event_id: string }).event_id } },
    });
    const delivered = data!.data[0]!.id;
    const again = async (order: () => Promise<{ response: Response }>) => {
      await eventually(async () => {
        const shown = await integrator.platform.GET('/webhook-deliveries/{id}', {
          params: { path: { id: delivered } },
        });
        expect(shown.data?.status).toBe('delivered'); // written a moment after the receiver has answered
      });
      const before = sink.received.filter(({ body }) => body.includes(id)).length;
      expect((await order()).response.status).toBe(202);
      const replayed = await eventually(() => {
        const arrived = sink.received.filter(({ body }) => body.includes(id));
        if (arrived.length === before) throw new Error('not sent again');
        return arrived.at(-1) as ReceivedDelivery;
      }, 20_000);
      expect(replayed.body).toBe(delivery.body);
      expect(traceIdOf(replayed)).not.toBe(traceIdOf(delivery));
      const [attempt, ...others] = await collector.trace(traceIdOf(replayed), ['webhook attempt']);
      expect(others).toEqual([]);
      expect(attempt).toMatchObject({
        parentSpanId: undefined,
        attributes: { 'delivery.replayed': true },
        links: [{ traceId: first.traceId, spanId: first.spanId }],
      });
    };
    await again(() =>
      integrator.platform.POST('/webhook-deliveries/{id}/replay', { params: { path: { id: delivered } } }),
    );
    await again(() =>
      integrator.platform.POST('/webhook-deliveries/replays', {
        body: { status: ['delivered'], module: 'seal', event_type: 'seal.signature.completed' },
      }),
    );
  });

  it('an envelope is sealed and reported in the trace of its last signature', async () => {
    const circuitId = await publishedCircuit(stack, integrator, { parts: [{ role: 'tenant', order: 1 }] });
    const envelope = await sendEnvelope(stack, integrator, circuitId, [{ role: 'tenant', email: SIGNER, name: 'Ana' }]);
    const [signer] = envelope.signers as [(typeof envelope.signers)[number]];
    await signByHttp(stack, (address) => stack.mailbox.messages(address), signer);
    secrets.push(signer.sign_token, SIGNER);
    code = await newCode((address) => stack.mailbox.messages(address), SIGNER);
    await envelopeIn(stack, integrator, envelope.id, ['sealed']);
    const delivery = await deliveryOf('seal.envelope.completed', envelope.id);
    const attempt = await collector.span(spanIdOf(delivery));
    const trace = await collector.trace(traceIdOf(delivery), ['POST /v1/sign/{token}/sign', 'seal']);
    expect(ancestry(trace, attempt)).toEqual([
      'webhook attempt',
      'seal complete',
      'seal',
      'POST /v1/sign/{token}/sign',
    ]);
  });

  it('a screening is reported in the trace of its request, one by a changed list in that of the change', async () => {
    const { data: screening } = await integrator.compliance.POST('/v1/screenings', {
      body: {
        subject_ref: 'customer-screened',
        subject_type: 'natural',
        payload: { ...SCREENED, document_type: 'CC', country_code: 'CO' },
      },
    });
    const delivery = await deliveryOf('screening.completed', screening!.id);
    const trace = await collector.trace(traceIdOf(delivery), ['POST /v1/screenings', 'webhook attempt']);
    expect(ancestry(trace, spanOf(trace, 'webhook attempt'))).toEqual(['webhook attempt', 'POST /v1/screenings']);

    const { traceId, traceparent } = callersTrace();
    const put = await httpOf(stack)(`${stack.complianceUrl}/v1/lists/INTERNAL`, {
      method: 'PUT',
      headers: { 'X-API-Key': integrator.apiKey, 'Content-Type': 'text/csv', traceparent },
      body: `id,name\nown-1,${SCREENED.full_name}\n`,
    });
    expect(put.status).toBe(200);
    const again = await deliveryOf('screening.completed', '"trigger":"list_update"');
    expect(traceIdOf(again)).toBe(traceId);
    const attempt = await collector.span(spanIdOf(again));
    const changed = await collector.trace(traceId, ['PUT /v1/lists/INTERNAL', 'rescreen']);
    expect(ancestry(changed, attempt)).toEqual(['webhook attempt', 'rescreen', 'PUT /v1/lists/INTERNAL']);
  });

  it('a document is read in the trace of the request that brought it', async () => {
    const noPhoto = await sharp({ create: { width: 300, height: 400, channels: 3, background: 'grey' } })
      .png()
      .toBuffer();
    secrets.push(...Object.values(READ));
    const onboarding = await Onboarding.open(stack, integrator, READ, 'customer-read');
    secrets.push(onboarding.token);
    await onboarding.consent();
    const { traceId, traceparent } = callersTrace();
    onboarding.traceparent = traceparent;
    await onboarding.document(await cedulaOf(READ, noPhoto));
    await onboarding.settled();
    const trace = await collector.trace(traceId, ['step', 'apply step', ADVANCE]);
    const step = spanOf(trace, 'step');
    expect(step.app).toBe('biometrics-worker');
    expect(ancestry(trace, step)).toEqual(['step', ADVANCE]);
  });

  it.skipIf(!hasFaces)(
    'an identity session is one trace across four processes and the queues between them',
    async () => {
      const [portrait, selfie] = firstPair({ same: true });
      secrets.push(...Object.values(HOLDER));
      const onboarding = await Onboarding.open(stack, integrator, HOLDER, 'customer-traced');
      secrets.push(onboarding.token);
      const { traceId, traceparent } = callersTrace();
      onboarding.traceparent = traceparent;
      await onboarding.consent();
      await onboarding.document(await cedulaOf(HOLDER, portrait));
      await onboarding.face(selfie);
      expect(await onboarding.advance({})).toMatchObject({ status: 200, body: { status: 'completed' } });

      const delivery = await deliveryOf('subject.verified', onboarding.subjectId);
      expect(traceIdOf(delivery)).toBe(traceId);
      await collector.span(spanIdOf(delivery));
      const trace = await collector.trace(traceId, [
        ...[ADVANCE, ADVANCE, ADVANCE, ADVANCE],
        ...['step', 'step', 'apply step', 'apply step', 'apply step', 'screening request', 'screening result'],
      ]);
      const parentsOf = (name: string) =>
        trace.filter((span) => span.name === name).map((span) => [span.app, ...ancestry(trace, span).slice(1)]);
      expect(parentsOf('step')).toEqual([
        ['biometrics-worker', ADVANCE],
        ['biometrics-worker', ADVANCE],
      ]);
      expect(parentsOf('apply step')).toEqual(Array(3).fill(['platform', ADVANCE]));
      expect(parentsOf('screening request')).toEqual([['compliance', ADVANCE]]);
      expect(parentsOf('screening result')).toEqual([['platform', 'screening request', ADVANCE]]);
      expect(parentsOf('webhook attempt')).toContainEqual(['webhook-dispatcher', 'apply step', ADVANCE]);
      expect(new Set(trace.map(({ app }) => app))).toEqual(
        new Set(['platform', 'biometrics-worker', 'compliance', 'webhook-dispatcher']),
      );
    },
  );

  it('no key, secret, code, token, name, number or address is in a span, a metric or a log', async () => {
    const scrapes = await Promise.all(
      APPS.map(async (name) => (await fetch(`${stack.app(name).opsUrl}/metrics`)).text()),
    );
    const [spans, metrics, logs] = [collector.raw(), scrapes.join('\n'), stack.logs()];
    expect(collector.spans.length).toBeGreaterThan(50);
    const figure = (name: string, labels: Record<string, string>) =>
      metrics
        .split('\n')
        .filter((line) => line.startsWith(`${name}{`))
        .filter((line) => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    const sign = { method: 'POST', route: '/v1/sign/{token}/sign', status: '200', app: 'signing' };
    expect(figure('http_request_duration_seconds_count', sign)).toBe(1);
    expect(figure('ledger_debits_total', { module: 'compliance', app: 'compliance' })).toBe(1);
    expect(figure('ledger_debits_total', { app: 'signing' })).toBe(3);
    for (const [name, app] of [
      ['ledger_drift_credits', 'platform'],
      ['queue_lag_seconds', 'sealing-worker'],
      ['queue_lag_seconds', 'platform'],
      ['mail_oldest_unsent_seconds', 'signing'],
      ['mail_oldest_unsent_seconds', 'platform'],
      ['rescreen_oldest_seconds', 'compliance'],
    ] as const) {
      expect(metrics, name).toMatch(new RegExp(`^${name}\\{.*app="${app}"\\}`, 'm'));
      if (name !== 'rescreen_oldest_seconds') expect(figure(name, { app }), name).toBeLessThan(1);
    }
    expect(metrics).not.toMatch(/^metric_failures_total\{/m);
    for (const name of APPS)
      expect(
        collector.spans.some(({ app }) => app === name),
        name,
      ).toBe(true);
    expect(secrets.length).toBeGreaterThan(8);
    expect(code).toMatch(/^\d{6}$/);
    const within = (text: string) => [
      ...secrets.filter((secret) => text.toUpperCase().includes(secret.toUpperCase())),
      ...(containsNumber(text, code) ? [code] : []),
    ];
    expect({ spans: within(spans), metrics: within(metrics), logs: within(logs) }).toEqual({
      spans: [],
      metrics: [],
      logs: [],
    });
  });

  it('spans name routes by their templates, and nothing but what is on the list', async () => {
    const templates = new Set(
      ['platform', 'compliance', 'signing'].flatMap((app) =>
        Object.keys((parse(fs.readFileSync(`docs/api/${app}.v1.yaml`, 'utf8')) as { paths: object }).paths),
      ),
    );
    const routes = collector.spans.filter(({ kind }) => kind === KIND.server);
    const undocumented = routes.filter(({ attributes }) => !templates.has(String(attributes['http.route'])));
    expect([...new Set(undocumented.map(({ name }) => name))].filter((name) => !/ \/(docs|api|keys|problems)\//.test(name))).toEqual([]); // prettier-ignore
    expect(routes.some(({ name }) => name.includes('/readyz') || name.includes('/livez'))).toBe(false);
  });

  it('SIGTERM loses no span', async () => {
    const { traceId, traceparent } = callersTrace();
    const headers = { 'X-API-Key': integrator.apiKey, traceparent };
    const calls = Array.from({ length: 300 }, () => fetch(`${stack.baseUrl}/v1/billing/balance`, { headers }));
    const answered = await Promise.all(calls);
    expect(answered.every(({ status }) => status === 200)).toBe(true);
    expect(await stack.app('platform').end('SIGTERM')).toBe(0);
    expect(collector.spans.filter((span) => span.traceId === traceId)).toHaveLength(300);
  });

  it('a collector that takes and never answers holds up neither a request nor the end of a process', async () => {
    collector.hang();
    for (const name of ['signing', 'sealing-worker', 'webhook-dispatcher'] as const) {
      const app = stack.app(name);
      if (name === 'signing') await requestSignature(stack, integrator, await uploadTemplate(stack, integrator));
      const began = performance.now();
      expect(await app.end('SIGTERM'), name).toBe(0);
      expect(performance.now() - began, name).toBeLessThan(8_000);
    }
  });
});
