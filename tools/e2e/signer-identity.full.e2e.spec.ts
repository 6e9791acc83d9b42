import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Mailbox, startMailbox } from '@constancia/dev-servers/mailbox';
import { freePort, type TestStack } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_TRIGGERS } from '../../apps/platform/src/identity/sessions/sandbox-triggers.ts';
import { firstPair, hasFaces } from '../../libs/face-matching/src/shared-faces.fixture.ts';
import { readers, textOf } from '../../libs/pdf-sealing/src/poppler.fixture.ts';
import {
  grantCredits,
  httpOf,
  inStore,
  type Integrator,
  NO_LIMITS,
  signUp,
  startDeployment,
} from './deployment.fixture.ts';
import {
  call,
  envelopeIn,
  publishedCircuit,
  sendEnvelope,
  type SentSigner,
  type SignerState,
} from './envelopes.fixture.ts';
import { cedulaOf, type Holder, readyForOnboarding } from './identity.fixture.ts';
import { CapturePerson, SignerBrowser } from './signer-identity.fixture.ts';

const APPS = ['platform', 'compliance', 'signing', 'sealing-worker', 'biometrics-worker'] as const;
const HOLDER: Holder = { documentNumber: '1094726153', surname1: 'QUIÑONES', surname2: 'OQUENDO', givenName1: 'XIOMARA', givenName2: 'ZORAIDA', birthDate: '1988-03-14' }; // prettier-ignore
const ROLE = 'arrendatario';

if (!hasFaces || !readers.poppler) console.warn('skipped: ../shared/faces or poppler-utils missing');

describe.skipIf(!hasFaces || !readers.poppler)('a signer who proves an identity, over all processes', () => {
  let stack: TestStack;
  let mail: Mailbox;
  let integrator: Integrator;
  let circuit: string;
  const objects = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-objects-'));

  beforeAll(async () => {
    mail = await startMailbox({ smtpPort: await freePort(), maxMessages: 100 });
    stack = await startDeployment({
      apps: APPS,
      env: { ...NO_LIMITS, SMTP_URL: mail.smtpUrl, STORAGE_DIR: objects },
    });
    integrator = await signUp(stack);
    await grantCredits(stack, integrator);
    await readyForOnboarding(integrator);
    circuit = await publishedCircuit(stack, integrator, { parts: [{ role: ROLE, order: 1, auth: ['identity'] }] });
  });
  afterAll(async () => {
    await stack?.close();
    await mail?.close();
    fs.rmSync(objects, { recursive: true, force: true });
  });

  const available = async () => (await integrator.platform.GET('/v1/billing/balance')).data!.available;

  /** A signer with this name, who has agreed to sign electronically. */
  async function signer(name: string): Promise<{ envelope: string; browser: SignerBrowser }> {
    const person = { role: ROLE, email: 'persona@canary.example', name };
    const { id, signers } = await sendEnvelope(stack, integrator, circuit, [person]);
    const browser = new SignerBrowser(stack, (signers[0] as SentSigner).sign_token);
    expect((await browser.consent()).next).toBe('identity');
    return { envelope: id, browser };
  }

  /** Takes a flow whose document number decides how it ends. */
  async function triggered(browser: SignerBrowser, trigger: string): Promise<void> {
    const { documentNumber } = SANDBOX_TRIGGERS.find(({ name }) => name === trigger)!;
    const person = new CapturePerson(await browser.start(documentNumber));
    await person.consent();
    await person.advance({ doc_front_uri: 'asset://sandbox/a', doc_back_uri: 'asset://sandbox/b' });
    const { step } = await person.advance({ selfie_uri: 'asset://sandbox/c' });
    if (step === 'sarlaft') await person.advance({});
  }

  it('signs after a document and a face were examined; the certificate states it without the number', async () => {
    const before = await available();
    const [portrait, selfie] = firstPair({ same: true });
    const { envelope, browser } = await signer('Xiomara Quiñones Oquendo');
    const person = new CapturePerson(await browser.start(HOLDER.documentNumber));
    expect(await person.consent()).toMatchObject({ step: 'document_upload' });
    expect(await person.document(await cedulaOf(HOLDER, portrait))).toMatchObject({ step: 'face_match' });
    expect(await person.face(selfie)).toMatchObject({ step: 'sarlaft' });
    expect(await person.advance({})).toMatchObject({ result: 'verified' });
    await browser.checkIn(['verified']);
    expect(await browser.complete()).toMatchObject({ next: 'sign' });
    const signature = { type: 'typed', text: 'Xiomara Quiñones' };
    await browser.call<SignerState>('/sign', { signature, fields: {}, intent: true });
    await envelopeIn(stack, integrator, envelope, ['sealed'], 60_000);
    expect(await available()).toBe(before - 40 - 80);

    const key = { 'X-API-Key': integrator.apiKey };
    const document = await httpOf(stack)(`${stack.signingUrl}/v1/envelopes/${envelope}/document`, { headers: key });
    const text = textOf(Buffer.from(await document.arrayBuffer())).replace(/\s+/g, ' ');
    expect(text).toContain('Identidad verificada con documento y rostro');
    expect(text).toContain('Nombre según la cédula de ciudadanía (CO); rostro comparado con el documento');
    expect(text).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC · flujo onboarding\/default v1 · fls_[0-9a-z]{26}/);
    expect(text.replaceAll(/[. ]/g, '')).not.toContain(HOLDER.documentNumber);
    const shown = await call<{ signers: object[] }>(stack, `/v1/envelopes/${envelope}`, {
      key: integrator.apiKey,
      expect: 200,
    });
    expect(shown.signers).toMatchObject([{ identity: { status: 'verified', session_id: expect.any(String) } }]);
    const kept = await inStore<{ row: string }>(
      stack,
      'select c::text as row from signing.identity_check c union all select data from signing.envelope_event',
    );
    expect(JSON.stringify(kept)).not.toMatch(/1094726153|XIOMARA|QUIÑONES/);
  });

  it('sees the same answer for every rejection, another for a name that does not match, and may start again', async () => {
    const { browser } = await signer('Persona Prueba');
    const bodies: string[] = [];
    for (const trigger of ['reject', 'sarlaft_reject']) {
      await triggered(browser, trigger);
      bodies.push(JSON.stringify(await browser.checkIn(['not_verified'])));
    }
    expect(new Set(bodies)).toEqual(new Set(['{"status":"not_verified","capture_url":null}']));
    await triggered(browser, 'approve');
    await browser.checkIn(['verified']);
    const other = await signer('Xiomara Quiñones');
    await triggered(other.browser, 'approve');
    await other.browser.checkIn(['name_mismatch']);
    await expect(other.browser.complete()).rejects.toThrow('409');
  });
});
