import { type TestStack, webhookSink, type WebhookSink } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import { WatchedPage } from '@constancia/testing/watched-page';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unexpected } from '../../apps/person-web/e2e/person.ts';
import { addPasskeys } from '../../apps/person-web/e2e/virtual-authenticator.ts';
import { SPANISH as CONSENT } from '../../apps/person-web/src/consent/text/spanish.ts';
import { SPANISH as CAPTURE } from '../../apps/person-web/src/text/spanish.ts';
import { SPANISH as WALLET } from '../../apps/person-web/src/wallet/text/spanish.ts';
import { readers, textOf } from '../../libs/pdf-sealing/src/poppler.fixture.ts';
import { hasFaces, labelledPairs, photo } from '../../libs/face-matching/src/shared-faces.fixture.ts';
import { CODE, codeIn, mailTo } from '../web/mailbox-reader.ts';
import { hostedSession, PATIENT_MS } from './capture-visit.fixture.ts';
import { grantCredits, httpOf, type Integrator, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';
import { cedulaOf, type Holder, readyForOnboarding } from './identity.fixture.ts';
import { envelopeIn, publishedCircuit, sendEnvelope, type SentSigner } from './envelopes.fixture.ts';
import { CapturePerson, SignerBrowser } from './signer-identity.fixture.ts';

const APPS = [
  'platform',
  'compliance',
  'signing',
  'sealing-worker',
  'biometrics-worker',
  'webhook-dispatcher',
] as const;
const ROLE = 'arrendatario';
const ANA: Holder = { documentNumber: '1094726154', surname1: 'QUIÑONES', surname2: 'OQUENDO', givenName1: 'XIOMARA', givenName2: 'ZORAIDA', birthDate: '1988-03-14' }; // prettier-ignore
const EMAIL = 'xiomara@canary.example';
/** As every tenant of these tests is called. */
const BANK = 'Cooperativa de Prueba';

const installed = browserInstalled('Reuse over a deployment');
if (!hasFaces || !readers.poppler) console.warn('skipped: ../shared/faces or poppler-utils missing');

const runnable = installed && hasFaces && readers.poppler;
describe.skipIf(!runnable)('a person whom one tenant verified', { timeout: 600_000 }, () => {
  let stack: TestStack;
  let browser: Browser;
  let sink: WebhookSink;
  let first: Integrator;
  let second: Integrator;

  beforeAll(async () => {
    const patience = { STEP_DEADLINE_MS: '300000', BIOMETRICS_DEADLINE_MS: '60000', WEBHOOK_ALLOW_PRIVATE: 'true' };
    stack = await startDeployment({ apps: APPS, env: { ...NO_LIMITS, ...patience } });
    [browser, sink, first, second] = await Promise.all([openBrowser(), webhookSink(), signUp(stack), signUp(stack)]);
    await Promise.all([first, second].map(readyForOnboarding));
    await grantCredits(stack, second);
    const endpoint = {
      params: { path: { id: second.tenantId, module: 'identity' } },
      body: { url: sink.url },
    } as const;
    const { error } = await second.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', endpoint);
    if (error) throw new Error(JSON.stringify(error));
  }, 600_000);
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
    await sink?.close();
  });

  const event = async (type: string) =>
    (JSON.parse((await sink.waitFor(({ body }) => body.includes(`"${type}"`), 30_000)).body) as { payload: object })
      .payload;

  it('keeps that, gives it to another by a passkey, which only screens them, and takes it back', async () => {
    const { url } = await hostedSession(first, ANA);
    const capturing = new CapturePerson(url);
    const { one, other } = labelledPairs().find(({ same }) => same)!;
    await capturing.consent();
    await capturing.document(await cedulaOf(ANA, photo(one)));
    await capturing.face(photo(other));
    expect(await capturing.advance({})).toMatchObject({ result: 'verified' });

    const watched = await WatchedPage.open(browser, { viewport: 'phone', locale: 'es-CO', origin: stack.personUrl, cookie: 'constancia_consent' }); // prettier-ignore
    const { page } = watched;
    page.setDefaultTimeout(PATIENT_MS);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    const mails = () => stack.mailbox.messages(EMAIL).length;
    const newCode = async (before: number) => {
      await expect.poll(mails, { timeout: 30_000 }).toBeGreaterThan(before);
      return codeIn(await mailTo(stack, EMAIL, CODE));
    };

    // With the first tenant: the verification is kept.
    await page.goto(url);
    await page.getByLabel(CAPTURE.keep.tick).check({ force: true });
    await page.getByLabel(CAPTURE.keep.address).fill(EMAIL);
    await press(CAPTURE.keep.submit);
    await page.getByLabel(CAPTURE.keep.code, { exact: true }).fill(await newCode(0));
    await press(CAPTURE.keep.confirm);
    await page.getByText(CAPTURE.keep.confirmed).waitFor();
    await expect.poll(mails, { timeout: 60_000 }).toBe(2); // it is in the wallet

    await addPasskeys(page);
    await page.goto(`${stack.personUrl}/wallet`);
    await page.getByLabel(WALLET.signIn.address).fill(EMAIL);
    await press(WALLET.signIn.send);
    await page.getByLabel(WALLET.signIn.code).fill(await newCode(2));
    await press(WALLET.signIn.submit);
    await page.getByLabel(WALLET.passkeys.name).fill('Mi celular');
    await press(WALLET.passkeys.add);
    await page.getByRole('heading', { level: 3, name: 'Mi celular' }).waitFor();

    // With the second: it asks, and the person gives it.
    const session = await openedBy(second);
    const before = (await second.platform.GET('/v1/billing/balance')).data!;
    const requested = await second.platform.POST('/v1/wallet/request-presentation', {
      body: { wallet_hint: 'qr', channel: 'redirect', purpose: 'Abrir su cuenta', external_ref: 'customer-b', claims: ['full_name', 'birth_date', 'document_number'] }, // prettier-ignore
    });
    await page.goto(requested.data?.consent_url as string);
    await press(CONSENT.identify.passkey);
    await heading(CONSENT.decide.title(BANK));
    await watched.screen('reuse-1-decide');
    await press(CONSENT.decide.approve);
    await heading(CONSENT.end.approved);
    const id = requested.data?.id as string;
    const given = (await event('wallet.presentation.approved')) as { presentation_id: string };
    expect(given).toMatchObject({ presentation_id: id, level: 'document_face', credits_debited: 32 });

    const consented = await advance(session, { accepted: true, reuse_presentation_id: id });
    expect(consented).toMatchObject({ status: 'in_progress', current_step: 'sarlaft', reused_presentation_id: id });
    const done = await advance(session, {});
    expect(done).toMatchObject({ status: 'completed', context: { sarlaft: { decision: 'approve' } } });
    const screening = (done.context as { sarlaft: { screening_id: string } }).sarlaft.screening_id;
    const screened = await second.compliance.GET('/v1/screenings/{id}', { params: { path: { id: screening } } });
    expect(screened.response.status).toBe(200);
    expect((await second.platform.GET('/v1/billing/balance')).data).toEqual({
      available: before.available - 32,
      held: 0,
    });
    await event('subject.verified');

    // The person takes it back.
    await page.goto(`${stack.personUrl}/wallet`);
    await press(WALLET.passkeys.signIn);
    await page.getByText(/, entrega a /).click();
    await press(WALLET.receipts.withdrawFrom(BANK));
    await page.getByText(WALLET.receipts.withdrawnAt).waitFor();
    await watched.screen('reuse-2-withdrawn');
    expect(await event('wallet.consent.revoked')).toMatchObject({
      presentation_id: id,
      subject_id: session.subject_id,
    });
    const again = await openedBy(second);
    const late = await second.platform.POST('/v1/flows/sessions/{id}/advance', {
      params: { path: { id: again.id } },
      body: { input: { accepted: true, reuse_presentation_id: id } },
    });
    expect(late.response.status).toBe(409);

    // Whom it was verified for first stays between that tenant and the person.
    const told = JSON.stringify([sink.received, await second.platform.GET('/v1/wallet/presentations/{id}', { params: { path: { id } } })]); // prettier-ignore
    expect(told).not.toContain(first.tenantId);

    // A signer of the second tenant gives it instead of pictures; the certificate says so.
    const funds = (await second.platform.GET('/v1/billing/balance')).data!.available;
    const circuit = await publishedCircuit(stack, second, { parts: [{ role: ROLE, order: 1, auth: ['identity'] }] });
    const named = { role: ROLE, email: EMAIL, name: 'Xiomara Quiñones Oquendo' };
    const { id: envelope, signers } = await sendEnvelope(stack, second, circuit, [named]);
    const signer = new SignerBrowser(stack, (signers[0] as SentSigner).sign_token);
    await signer.consent();
    await page.goto(await signer.start(ANA.documentNumber));
    await press(CAPTURE.kept.use);
    await press(CONSENT.identify.passkey);
    await heading(CONSENT.decide.title(BANK));
    await press(CONSENT.decide.approve);
    await page.getByRole('link', { name: CONSENT.end.capture }).click();
    await page.getByText(CAPTURE.kept.given).waitFor();
    await watched.screen('reuse-3-signer');
    await page.reload();
    await page.getByLabel(CAPTURE.consent.accept).check({ force: true });
    await press(CAPTURE.consent.submit);
    await heading(CAPTURE.result.verified.title);
    await signer.checkIn(['verified']);
    await signer.complete();
    await signer.call('/sign', { signature: { type: 'typed', text: 'Xiomara Quiñones' }, fields: {}, intent: true });
    await envelopeIn(stack, second, envelope, ['sealed'], 60_000);
    expect((await second.platform.GET('/v1/billing/balance')).data).toEqual({ available: funds - 40 - 32, held: 0 });
    const sealed = await httpOf(stack)(`${stack.signingUrl}/v1/envelopes/${envelope}/document`, {
      headers: { 'X-API-Key': second.apiKey },
    });
    const certificate = textOf(Buffer.from(await sealed.arrayBuffer())).replace(/\s+/g, ' ');
    expect(certificate).toContain('Identidad verificada con una verificación guardada (billetera)');
    expect(certificate).toMatch(/verificación guardada \(billetera\) del \d{4}-\d\d-\d\d: documento y rostro/);
    expect(certificate.replaceAll(/[. ]/g, '')).not.toContain(ANA.documentNumber);
    await watched.close();
    expect(unexpected({ watched })).toEqual([]);
  });

  async function openedBy({ platform }: Integrator) {
    const { data, error } = await platform.POST('/v1/flows/sessions', {
      body: { external_ref: 'customer-b', document_type: 'CC', document_number: ANA.documentNumber, country: 'CO' },
    });
    if (!data) throw new Error(`no session: ${JSON.stringify(error)}`);
    return data;
  }

  async function advance({ id }: { id: string }, input: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { data, error } = await second.platform.POST('/v1/flows/sessions/{id}/advance', {
      params: { path: { id } },
      body: { input },
    });
    if (!data) throw new Error(JSON.stringify(error));
    return data as unknown as Record<string, unknown>;
  }
});
