import { generateOwnerProofToken, generateRecoveryToken, hashSecret } from '@constancia/auth';
import { type Mailbox, startMailbox } from '@constancia/dev-servers/mailbox';
import { listenForPages } from '@constancia/http';
import { uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import {
  ContractChecker,
  eventually,
  freePort,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCompliance, runningCompliance } from '../../apps/compliance/src/running-compliance.fixture.ts';
import { Visitor } from '../../apps/platform/src/console/visitor.fixture.ts';
import { openHosted, PersonHost } from '../../apps/platform/src/identity/capture/capture.fixture.ts';
import { createEmbed as createSignEmbed } from '../../apps/signing/src/embed/framed-signer.fixture.ts';
import { createEmbed, pathIn, registerOrigins } from '../../apps/platform/src/identity/embed/embed.fixture.ts';
import {
  FlowCaller,
  runningIdentity,
  type RunningIdentity,
} from '../../apps/platform/src/identity/running-identity.fixture.ts';
import { type RunningSigning, runningSigning, seal } from '../../apps/signing/src/running-signing.fixture.ts';
import { definitionOf, Signing } from '../../apps/signing/src/sign/sign.fixture.ts';

interface Problem {
  type?: string;
  detail?: string;
}

/** Far more than a process needs to drop what it remembers, which the announcement makes it do (member-access.int.spec.ts: within a second). */
const SOON_MS = 15_000;
const SUSPENDED = '403 tenant-suspended';

let store: TestDatabase;
let platform: RunningIdentity;
let compliance: RunningCompliance;
let signing: RunningSigning;
let mailbox: Mailbox;
let ops: OpsPort;
let consoleUrl: string;
let personHost: PersonHost;

beforeAll(async () => {
  store = await testDatabase();
  mailbox = await startMailbox({ smtpPort: await freePort() });
  const consolePort = await freePort();
  consoleUrl = `http://localhost:${consolePort}`;
  const limits = { RATE_LIMIT_SIGN_IN: '1000000' };
  platform = await runningIdentity(store, { SMTP_URL: mailbox.smtpUrl, CONSOLE_URL: consoleUrl, ...limits });
  await listenForPages(platform.app, consolePort);
  compliance = await runningCompliance(store);
  signing = await runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) });
  ops = await opsPortOf(platform.app);
  personHost = await PersonHost.of(platform);
});
afterAll(async () => {
  await ops?.close();
  await Promise.all([platform?.close(), compliance?.close(), signing?.close()]);
  await mailbox?.close();
  await store?.drop();
});

interface Shown {
  standing: string;
  standing_since: string | null;
}

const suspend = (slug: string, body: object = {}) =>
  ops.post<Shown>(`/tenants/${slug}/suspend`, { reason: 'phishing, ticket 77', ...body });
const resume = (slug: string, body: object = {}) =>
  ops.post<Shown>(`/tenants/${slug}/resume`, { reason: 'resolved', ...body });
const outcomeOf = ({ status, body }: { status: number; body: Problem }) =>
  [status, ...(typeof body.type === 'string' ? [body.type.split('/').at(-1)] : [])].join(' ');

/** A way to make a request with one credential of the tenant; it answers the status, and the slug of a problem. */
type Credential = () => Promise<string>;

async function credentialsOf(tenant: TestTenant): Promise<Record<string, Credential>> {
  const { token: member } = await testMember(store, tenant.id, 'owner');
  const [api, listed, sent] = ['/v1/billing/balance', '/v1/cases', '/v1/templates'];
  const flows = new FlowCaller(platform, tenant, store);
  await flows.seed();
  const session = await flows.open();
  const { token: capture } = await openHosted(flows, { document_number: '1098765433' });
  await registerOrigins(flows);
  const embedded = pathIn((await createEmbed(flows)).body.embed_url);
  const ofSession = { authorization: `Bearer ${session.session_token}` };
  const asTenant = new Signing(signing, store, tenant.apiKey);
  const envelope = await asTenant.envelope(await asTenant.circuit(definitionOf([{ role: 'a' }])));
  const [signer] = envelope.signers;
  const link = signer?.sign_token;
  const embed = await createSignEmbed(signing, tenant.apiKey, { target_id: signer?.id });
  const embeddedSigner = pathIn(embed.body.embed_url);
  const visitor = new Visitor({ url: consoleUrl, mailbox });
  const email = `owner@${tenant.slug}.example`;
  await visitor.call('POST', '', { email, code: await visitor.codeFor(email) });
  return {
    'key, platform': async () => outcomeOf(await platform.call(api, { key: tenant.apiKey })),
    'key, compliance': async () => outcomeOf(await compliance.call(listed, { key: tenant.apiKey })),
    'key, signing': async () => outcomeOf(await signing.call(sent, { key: tenant.apiKey })),
    'member, platform': async () => outcomeOf(await platform.call(api, { member })),
    'member, compliance': async () => outcomeOf(await compliance.call(listed, { member })),
    'member, signing': async () => outcomeOf(await signing.call(sent, { member })),
    'console session': async () => outcomeOf(await visitor.call('GET', '')),
    'flow session': async () =>
      outcomeOf(await platform.call(`/v1/flows/sessions/${session.id}`, { headers: ofSession })),
    'capture link': async () => outcomeOf(await personHost.call('/capture/state', { token: capture })),
    'embed link': async () => outcomeOf(await platform.call(`${embedded}/state`)),
    'embed link of a signer': async () => outcomeOf(await signing.call(`${embeddedSigner}/state`)),
    'signer’s link': async () => outcomeOf(await signing.call(`/v1/sign/${link}`)),
  };
}

const outcomes = async (credentials: Record<string, Credential>) =>
  Object.fromEntries(
    await Promise.all(Object.entries(credentials).map(async ([name, call]) => [name, await call()] as const)),
  );
const all = (credentials: object, outcome: string) =>
  Object.fromEntries(Object.keys(credentials).map((name) => [name, outcome]));

describe('a suspended tenant', () => {
  it('is refused with every credential on every host at once, and accepted again once it is resumed', async () => {
    const tenant = await testTenant(store);
    const credentials = await credentialsOf(tenant);
    expect(await outcomes(credentials)).toEqual(all(credentials, '200'));
    const { status, body } = await suspend(tenant.slug);
    expect([status, body.standing, typeof body.standing_since]).toEqual([200, 'suspended', 'string']);
    await eventually(async () => expect(await outcomes(credentials)).toEqual(all(credentials, SUSPENDED)), SOON_MS);
    expect((await resume(tenant.slug)).body).toMatchObject({ standing: 'active', standing_since: null });
    await eventually(async () => expect(await outcomes(credentials)).toEqual(all(credentials, '200')), SOON_MS);
  }, 120_000);

  it('has each key and member token announced to every process, at the suspension and at its end', async () => {
    const tenant = await testTenant(store);
    const { token } = await testMember(store, tenant.id, 'owner');
    const hashes = [tenant.apiKey, token].map((secret) => hashSecret(secret).toString('hex'));
    const database = await Database.connect({ url: store.app('platform'), applicationName: 'listener' });
    const announced: string[] = [];
    const listening = await database.listen('api_key_changed', (hash) => void announced.push(hash));
    const heard = () => announced.filter((hash) => hashes.includes(hash)).sort();
    await suspend(tenant.slug);
    await eventually(() => expect(heard()).toEqual([...hashes].sort()), SOON_MS);
    await resume(tenant.slug);
    await eventually(() => expect(heard()).toEqual([...hashes, ...hashes].sort()), SOON_MS);
    await listening.close();
    await database.close();
  });

  it('is not signed in to, and the code that was mailed works once it is resumed', async () => {
    const tenant = await testTenant(store);
    const email = `owner@${tenant.slug}.example`;
    const visitor = new Visitor({ url: consoleUrl, mailbox });
    const code = await visitor.codeFor(email);
    await suspend(tenant.slug);
    expect((await visitor.call('POST', '', { email, code })).status).toBe(403);
    expect(await store.query('select 1 from platform.member_session where tenant_id = $1', [tenant.id])).toEqual([]);
    await resume(tenant.slug);
    expect((await visitor.call('POST', '', { email, code })).status).toBe(200);
  });

  it('accepts no token that was mailed, which works once it is resumed, and lets a change of the owner’s address be stopped', async () => {
    const tenant = await testTenant(store, { verified: false });
    const { email } = await testMember(store, tenant.id, 'owner');
    const [recovery, proof, change, stop] = [
      generateRecoveryToken(),
      ...Array.from({ length: 3 }, generateOwnerProofToken),
    ];
    const until = `now() + interval '1 hour'`;
    await store.query(
      `with recovery as (
         insert into platform.recovery_token (token_hash, tenant_id, expires_at) values ($2, $1, ${until})
       ), proof as (
         insert into platform.owner_proof (token_hash, tenant_id, expires_at) values ($3, $1, ${until})
       )
       insert into platform.owner_email_change (tenant_id, id, email, proof_hash, stop_hash, requested_at, expires_at, asked_at)
       values ($1, $6, $7, $4, $5, now(), ${until}, '{}')`,
      [tenant.id, recovery.hash, proof?.hash, change?.hash, stop?.hash, uuidv7(), email],
    );
    const use = (operation: string, token: string | undefined) =>
      platform.call(`/tenants/${tenant.id}/owner-email/${operation}`, { body: { token } }).then(outcomeOf);
    const tokens: Record<string, Credential> = {
      recovery: async () =>
        outcomeOf(
          await platform.call(`/tenants/${tenant.id}/rotate-api-key`, {
            method: 'POST',
            headers: { authorization: `Bearer ${recovery.plaintext}` },
          }),
        ),
      'owner’s address': () => use('proof', proof?.plaintext),
      'another address': () => use('proof', change?.plaintext),
    };
    await suspend(tenant.slug);
    expect(await outcomes(tokens)).toEqual(all(tokens, SUSPENDED));
    await resume(tenant.slug);
    for (const [name, call] of Object.entries(tokens)) expect([name, await call()]).toEqual([name, '200']);
    await store.query(
      `update platform.owner_email_change set email = 'other@otra.example', stop_hash = $2 where tenant_id = $1`,
      [tenant.id, stop?.hash],
    );
    await suspend(tenant.slug);
    expect(await use('stop', stop?.plaintext)).toBe('200');
  });

  it('has no link to a sealed document renewed', async () => {
    const tenant = await testTenant(store);
    const { a: link } = await new Signing(signing, store, tenant.apiKey).tokens(definitionOf([{ role: 'a' }]), [
      { role: 'a' },
    ]);
    await store.query(
      `update signing.envelope e
          set status = 'sealed', document_sha256 = base.base_pdf_sha256, document_key = base.base_pdf_key,
              document_size = base.base_pdf_size, kms_key_arn = 'arn', signature = '\\x01',
              signature_algorithm = 'RSASSA_PKCS1_V1_5_SHA_256', signed_at = now() - interval '31 days'
         from signing.circuit base where base.id = e.circuit_id and e.tenant_id = $1`,
      [tenant.id],
    );
    const mailsAfterAsking = async () => {
      expect((await signing.call(`/v1/sign/${link}/new-link`, { method: 'POST' })).status).toBe(202);
      const sql = `select count(*)::int as mails from signing.signer_mail where tenant_id = $1 and kind = 'completed'`;
      return (await store.query(sql, [tenant.id]))[0];
    };
    await suspend(tenant.slug);
    expect(await mailsAfterAsking()).toEqual({ mails: 0 });
    await resume(tenant.slug);
    expect(await mailsAfterAsking()).toEqual({ mails: 1 });
  });

  it('gets no picture through an address that was handed out before', async () => {
    const tenant = await testTenant(store);
    const flows = new FlowCaller(platform, tenant, store);
    await flows.seed();
    const { subject_id } = await flows.open();
    const presigned = await platform.call<{ upload_url: string }>(`/v1/kyc/subjects/${subject_id}/presign-upload`, {
      ...{ key: tenant.apiKey, body: { kind: 'selfie' } },
    });
    const { pathname, search } = new URL(presigned.body.upload_url);
    await suspend(tenant.slug);
    const headers = { 'content-type': 'image/jpeg' };
    const answer = await fetch(`${platform.url}${pathname}${search}`, { method: 'PUT', headers, body: 'x' });
    expect(outcomeOf({ status: answer.status, body: (await answer.json()) as Problem })).toBe(SUSPENDED);
    const assets = await store.query('select status, claim_until from identity.asset where tenant_id = $1', [
      tenant.id,
    ]);
    expect(assets).toEqual([{ status: 'awaiting', claim_until: null }]);
  });

  it('tells people with a link that it is not available now, and not why', async () => {
    const tenant = await testTenant(store);
    const asTenant = new Signing(signing, store, tenant.apiKey);
    const { a: link } = await asTenant.tokens(definitionOf([{ role: 'a' }]), [{ role: 'a' }]);
    await suspend(tenant.slug, { message: 'Escriba a soporte' });
    const { body } = await signing.call(`/v1/sign/${link}`);
    expect(body.detail).toBe(
      'This link is not available at the moment. Try again later, or ask the company that sent it.',
    );
    expect((await signing.call(`/v1/sign/${link}/decline`, { method: 'POST', body: { reason: 'x' } })).status).toBe(
      403,
    );
  });

  it('is recorded once in both logs and mailed once to every owner, however often operators ask at once', async () => {
    const tenant = await testTenant(store);
    const { email } = await testMember(store, tenant.id, 'owner');
    const many = [1, 2, 3, 4, 5];
    await Promise.all(many.map(() => suspend(tenant.slug, { message: 'Llame a Constancia' })));
    await Promise.all(many.map(() => resume(tenant.slug)));
    const both = ['tenant.suspended', 'tenant.resumed'];
    const acts = await store.query<{ type: string; data: string }>(
      'select type, data::text from platform.operator_act where tenant_id = $1 order by seq',
      [tenant.id],
    );
    expect(acts.map(({ type }) => type)).toEqual(both);
    expect(acts[0]?.data).toContain('phishing, ticket 77');
    const entries = await store.query<{ type: string; entry: string }>(
      'select type, to_jsonb(e)::text as entry from platform.audit_entry e where tenant_id = $1 order by seq',
      [tenant.id],
    );
    expect(entries.map(({ type }) => type)).toEqual(both);
    for (const { entry } of entries) expect(entry).not.toMatch(/phishing|noche/); // neither the reason nor the operator
    for (const owner of [email, `owner@${tenant.slug}.example`])
      await eventually(() => {
        const mails = mailbox.messages(owner);
        expect(mails.map(({ subject }) => subject.split(':')[0]).sort()).toEqual([
          ...['Servicio reanudado', 'Servicio suspendido'],
        ]);
        const text = mails.map((mail) => mail.text).join('\n');
        expect(text).toContain('Llame a Constancia');
        expect(text).not.toContain('phishing');
      }, 20_000);
  });
});

describe('requests that are under way while a tenant is suspended', () => {
  it('are each accepted and charged, or refused and not charged', async () => {
    const tenant = await testTenant(store, { credits: 4_000 });
    const template = await signing.template(tenant.apiKey);
    const body = { template_id: template, subject_ref: 'loan-1', merge_data: {} };
    const send = async (nth: number) => {
      await new Promise((resolve) => setTimeout(resolve, nth * 4));
      return outcomeOf(await signing.call('/v1/signatures', { key: tenant.apiKey, body }));
    };
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 60 }, (_, nth) => send(nth))),
      new Promise((resolve) => setTimeout(resolve, 60)).then(() => suspend(tenant.slug)),
    ]);
    await eventually(async () => expect(await send(0)).toBe(SUSPENDED), SOON_MS);
    const accepted = answers.filter((answer) => answer === '202').length;
    expect(answers.filter((answer) => answer !== '202')).toEqual(Array(60 - accepted).fill(SUSPENDED));
    const [stored] = await store.query(
      `select (select count(*)::int from signing.signature_request where tenant_id = $1) as requests,
              (select available::int from platform.credit_account where tenant_id = $1) as available`,
      [tenant.id],
    );
    // What was begun between the count of the answers and the refusal above is accepted too.
    const { requests, available } = stored as { requests: number; available: number };
    expect(requests).toBeGreaterThanOrEqual(accepted);
    expect(available).toBe(4_000 - 40 * requests);
  });

  it('leave work that is finished meanwhile: a document is sealed, and there once the tenant is resumed', async () => {
    const tenant = await testTenant(store);
    const id = await signing.signature(tenant.apiKey, await signing.template(tenant.apiKey));
    await suspend(tenant.slug);
    const pdf = await seal(store, signing.folder, id);
    await resume(tenant.slug);
    const document = () => signing.call(`/v1/signatures/${id}/document`, { key: tenant.apiKey });
    await eventually(async () => expect((await document()).bytes).toEqual(pdf), SOON_MS);
  });
});
