import { eventually, type TestStack, webhookSink, type WebhookSink } from '@constancia/testing';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstPair, hasFaces } from '../../libs/face-matching/src/shared-faces.fixture.ts';
import {
  contractPdf, grantCredits, httpOf, inStore, type Integrator, NO_LIMITS, settled, signUp, startDeployment, uploadTemplate,
} from '../e2e/deployment.fixture.ts'; // prettier-ignore
import {
  call, envelopeIn, publishedCircuit, type SentEnvelope, sendEnvelope, signByHttp, type SignerState,
} from '../e2e/envelopes.fixture.ts'; // prettier-ignore
import { cedulaOf, type Holder, Onboarding, type QueueWatch, readyForOnboarding, watchQueues } from '../e2e/identity.fixture.ts'; // prettier-ignore
import { callsTo } from '@constancia/testing/calls';
import { findCanaries } from '@constancia/testing/canary-scan';
import { COMPLIANCE_CANARIES, runCompliance } from '../../apps/compliance/src/erasures/compliance-canaries.fixture.ts';
import { openedOfSigning } from './personal-data.fixture.ts';

// People who are nowhere else. None of these texts may stand in the store in the clear.
const HOLDER: Holder = { documentNumber: '1098347502', surname1: 'ZURUBÍ', surname2: 'QUEBRANTA', givenName1: 'WILFRIDA', givenName2: 'OTILIANA', birthDate: '1986-07-13' }; // prettier-ignore
const MERGED = { name: 'Trigidia Cotorra Ñáñez', number: '1077665443', birthDate: '1979-05-31', phone: '+573115550134', address: 'Calle Cotorra 45-19' }; // prettier-ignore
const SIGNED = { name: 'Jacinta Urraca Sellada', email: 'urraca@canary-signed.example', city: 'Urraca de Arriba' };
const WAITING = { name: 'Benigno Tucán Pendiente', email: 'tucan@canary-waiting.example', city: 'Vereda Tucán', phone: '573225550187' }; // prettier-ignore
const WORDS = { subject: 'Bodega Colibrí', message: 'Nos vemos en la notaría Colibrí', document: 'Arriendo Colibrí' };
const CANARIES = [HOLDER, MERGED, SIGNED, WAITING, WORDS, COMPLIANCE_CANARIES].flatMap((each) => Object.values(each));
const REF = 'customer-1';

let stack: TestStack;
let queues: QueueWatch;
let sink: WebhookSink;
let integrator: Integrator;

beforeAll(async () => {
  // The sealing run comes later: until then merge data and what was entered wait.
  const apps = ['platform', 'compliance', 'signing', 'webhook-dispatcher', 'biometrics-worker'] as const;
  stack = await startDeployment({ apps, env: NO_LIMITS });
  queues = await watchQueues(stack, undefined); // what goes through the queue's tables is kept, and scanned with all others
  sink = await webhookSink();
  integrator = await signUp(stack);
  await grantCredits(stack, integrator);
  for (const module of ['seal', 'compliance', 'identity'] as const) {
    await integrator.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
      params: { path: { id: integrator.tenantId, module } },
      body: { url: `${sink.url}/${module}` },
    });
  }
  await readyForOnboarding(integrator);
}, 180_000);
afterAll(async () => {
  await queues?.close();
  await stack?.close();
  await sink?.close();
});

const scan = () => findCanaries((sql, params) => inStore(stack, sql, params), CANARIES);
const mailbox = (address: string) => stack.mailbox.messages(address);

async function onboarding(): Promise<Onboarding> {
  const [portrait, selfie] = hasFaces
    ? firstPair({ same: true })
    : [
        await sharp({ create: { width: 300, height: 400, channels: 3, background: 'grey' } })
          .png()
          .toBuffer(),
      ];
  const device = await Onboarding.open(stack, integrator, HOLDER, 'holder-1');
  await device.consent();
  await device.document(await cedulaOf(HOLDER, portrait));
  if (selfie) {
    await device.face(selfie);
    expect(await device.advance({})).toMatchObject({ body: { status: 'completed' } });
  }
  await device.settled();
  return device;
}

async function screening(): Promise<void> {
  const csv = `id,name,birth_date\nown-1,${COMPLIANCE_CANARIES.name},${COMPLIANCE_CANARIES.birthDate}\n`;
  const put = await httpOf(stack)(`${stack.complianceUrl}/v1/lists/INTERNAL`, {
    method: 'PUT',
    headers: { 'X-API-Key': integrator.apiKey, 'Content-Type': 'text/csv' },
    body: csv,
  });
  expect(put.status).toBe(200);
  const { compliance } = integrator;
  const { data: draft } = await compliance.POST('/v1/validations', { body: { code: 'own-list' } });
  const params = { path: { id: draft?.id as string } };
  const definition = {
    nodes: [
      { id: 'listed', type: 'condition' as const, predicate: 'on_restrictive_list', value: 'INTERNAL' },
      { id: 'look', type: 'action' as const, decision: 'review' as const },
    ],
    edges: [{ from: 'listed', to: 'look' }],
  };
  const rule = { code: 'OWN-001', severity: 'review', score: 50, subject_type: 'both', definition } as const;
  const added = await compliance.POST('/v1/validations/{id}/rules', { params, body: rule });
  expect(added.error).toBeUndefined();
  await compliance.POST('/v1/validations/{id}/publish', { params });
  await runCompliance(callsTo('compliance', stack.complianceUrl), integrator.apiKey, REF, 'own-list');
}

async function signatureRequest(): Promise<string> {
  const template_id = await uploadTemplate(stack, integrator, await contractPdf(WORDS.document));
  const { name, ...others } = MERGED;
  const body = { template_id, subject_ref: REF, merge_data: { name, city: Object.values(others).join(', ') } };
  const key = integrator.apiKey;
  const options = { key, body, expect: 202, idempotencyKey: crypto.randomUUID() };
  return (await call<{ id: string }>(stack, '/v1/signatures', options)).id;
}

/** One envelope that its signer has signed, and one whose signer has entered something and not signed. */
async function envelopes(): Promise<[signed: SentEnvelope, waiting: SentEnvelope]> {
  const circuitId = await publishedCircuit(stack, integrator, { parts: [{ role: 'tenant', order: 1 }], full: true });
  const byPhone = [{ role: 'tenant', order: 1, auth: ['otp_sms' as const] }];
  const phoneCircuitId = await publishedCircuit(stack, integrator, { parts: byPhone, full: true });
  const send = (circuit: string, { name, email, phone }: { name: string; email: string; phone?: string }) => {
    const { subject, message } = WORDS;
    const person = { role: 'tenant', name, email, ...(phone !== undefined && { phone: `+${phone}` }) };
    return sendEnvelope(stack, integrator, circuit, [person], { subject, message });
  };
  const [signed, waiting] = [await send(circuitId, SIGNED), await send(phoneCircuitId, WAITING)];
  await signByHttp(stack, mailbox, signed.signers[0]!, { name: SIGNED.name, city: SIGNED.city });
  const home = `/v1/sign/${waiting.signers[0]!.sign_token}`;
  const { version, locale } = (await call<SignerState>(stack, home, { expect: 200 })).consent;
  await call(stack, `${home}/consent`, { body: { accepted: true, version, locale }, expect: 200 });
  await call(stack, `${home}/otp/send`, { method: 'POST', expect: 202 });
  const code = await eventually(() => {
    const [text] = stack.mailbox.texts(`+${WAITING.phone}`);
    if (!text) throw new Error('no text message came');
    return text.text.slice(0, 6);
  });
  const { proof } = await call<SignerState>(stack, `${home}/otp/verify`, { body: { code }, expect: 200 });
  const fields = { tenant_city: WAITING.city };
  await call(stack, `${home}/draft`, { method: 'PUT', body: { fields }, expect: 204, proof: proof?.token });
  return [signed, waiting];
}

interface Erased {
  status?: string;
  modules?: { module: string; status: string }[];
}

async function eraseInSigning(body: { subject_ref: string; email?: string }): Promise<void> {
  const key = integrator.apiKey;
  const erase = () => call<Erased>(stack, '/v1/erasures', { key, body, expect: 200 });
  await eventually(async () => expect(JSON.stringify(await erase())).not.toContain('"pending"'), 20_000);
}

describe('personal data, after everything that the modules do with it', () => {
  it('is nowhere in the store in the clear, neither before its erasure nor after it; then keys open nothing of it', async () => {
    const device = await onboarding();
    await screening();
    const requestId = await signatureRequest();
    const [signed, waiting] = await envelopes();
    expect(await scan()).toEqual([]);
    const opened = await openedOfSigning(stack, integrator.tenantId);
    for (const text of [MERGED.name, SIGNED.name, SIGNED.city, WAITING.email, WAITING.phone, WORDS.message])
      expect(opened).toContain(text);

    const worker = await stack.another('sealing-worker');
    await worker.start();
    expect(await settled(stack, integrator, requestId, 60_000)).toMatchObject({ status: 'signed' });
    await envelopeIn(stack, integrator, signed.id, ['sealed'], 60_000);

    const erased = await integrator.platform.DELETE('/v1/kyc/subjects/{id}', {
      params: { path: { id: device.subjectId } },
    });
    expect(erased.response.status).toBe(200);
    expect((await integrator.compliance.POST('/v1/erasures', { body: { subject_ref: REF } })).response.status).toBe(
      200,
    );
    await eraseInSigning({ subject_ref: REF, email: WAITING.email });
    expect((await envelopeIn(stack, integrator, waiting.id, ['voided'])).status).toBe('voided');
    expect(await scan()).toEqual([]);
    const left = await openedOfSigning(stack, integrator.tenantId);
    for (const text of [...Object.values(MERGED), ...Object.values(WAITING)]) expect(left).not.toContain(text);
    expect(stack.logs()).not.toContain(WAITING.phone);
    expect(left).toContain(SIGNED.name); // beside the sealed document, which is evidence of its parties
  }, 240_000);
});
