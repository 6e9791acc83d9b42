import { spawnSync } from 'node:child_process';
import { createHash, verify } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { uuidOf } from '@constancia/kernel';
import { PdfPool } from '@constancia/pdf-sealing';
import { Metrics } from '@constancia/telemetry';
import {
  ContractChecker,
  eventually,
  type TestDatabase,
  testDatabase,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  requestOf,
  runningWorker,
  type StoredRequest,
  type WorkerServices,
  workerServices,
} from '../../apps/sealing-worker/src/running-sealing-worker.fixture.ts';
import { envelopeOf, signedEnvelopes } from '../../apps/sealing-worker/src/signed-envelopes.fixture.ts';
import { type RunningSigning, runningSigning } from '../../apps/signing/src/running-signing.fixture.ts';
import type { SigningSettingsView } from '../../apps/signing/src/signing-settings/signing-settings-view.ts';
import {
  kmsAction,
  settingsFor,
  type TenantKmsKey,
  tenantKmsKey,
} from '../../apps/signing/src/signing-settings/tenant-key.fixture.ts';
import type { VerificationView } from '../../apps/signing/src/signatures/verification-view.ts';
import { signaturesIn } from '../../libs/pdf-sealing/src/evidence/long-term.fixture.ts';
import {
  publicKeyInfrastructure,
  type PublicKeyInfrastructure,
} from '../../libs/pdf-sealing/src/evidence/public-key-infrastructure.fixture.ts';

const opensslThere = spawnSync('openssl', ['version']).error === undefined;
const pdfsigThere = spawnSync('pdfsig', ['-v']).error === undefined;

describe.skipIf(!opensslThere)('documents of a tenant with a key of its own', { timeout: 60_000 }, () => {
  let store: TestDatabase;
  let around: WorkerServices;
  let signing: RunningSigning;
  let pki: PublicKeyInfrastructure;
  let pool: PdfPool;
  let tenant: TestTenant;
  const workers: INestApplicationContext[] = [];

  beforeAll(async () => {
    [store, around, pki] = await Promise.all([testDatabase(), workerServices(), publicKeyInfrastructure()]);
    pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
    signing = await runningSigning(store, {
      check: (seen) => ContractChecker.of('signing').check(seen),
      env: { KMS_ENDPOINT: around.kms.url, STORAGE_DIR: around.storageDir },
    });
  }, 60_000);
  beforeEach(async () => {
    tenant = await testTenant(store, { credits: 5_000 });
  });
  afterEach(async () => {
    around.kms.setMode('ok');
    around.kms.refuseKeys([]);
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
  });
  afterAll(async () => {
    await signing?.close();
    await Promise.all([pki?.close(), pool?.close(), around?.close()]);
    await store?.drop();
  });

  async function worker(changes: Parameters<typeof runningWorker>[2] = {}): Promise<INestApplicationContext> {
    const started = await runningWorker(store, around, changes);
    workers.push(started);
    return started;
  }

  const settings = async (method: 'GET' | 'PUT' | 'DELETE', body?: object) =>
    (await signing.call<SigningSettingsView>('/v1/signing-settings', { method, key: tenant.apiKey, body })).body;

  async function withOwnKey(suffix = ''): Promise<TenantKmsKey> {
    const key = await tenantKmsKey(around.kms.url, tenant.id, suffix);
    expect(await settings('PUT', settingsFor(pki, key))).toMatchObject({ key_arn: key.keyArn });
    return key;
  }

  async function requested(of = tenant, count = 1): Promise<string[]> {
    const template = await signing.template(of.apiKey);
    return Promise.all(Array.from({ length: count }, () => signing.signature(of.apiKey, template)));
  }

  const row = (id: string) => requestOf(store, uuidOf('sig', id) as string);
  const settled = (id: string, timeoutMs = 20_000): Promise<StoredRequest> =>
    eventually(async () => {
      const found = await row(id);
      expect(found.status).not.toBe('pending');
      return found;
    }, timeoutMs);
  const attempted = (id: string) =>
    eventually(async () => {
      const found = await row(id);
      expect(found.attempts).toBeGreaterThan(0);
      expect(found.lease_token).toBeNull();
      return found;
    }, 20_000);

  async function signerOf(request: StoredRequest): Promise<string | null | undefined> {
    const [signature] = await pool.verify(await around.objects.get(request.document_key as string));
    expect(signature).toMatchObject({ valid: true });
    return signature?.signer;
  }

  it('are sealed with it and its chain, those of another tenant with the platform’s; after DELETE so are its own', async () => {
    const before = (await requested())[0] as string;
    await worker();
    const early = await settled(before);
    expect(early.kms_key_arn).toBe(around.kms.keyArn);

    const key = await withOwnKey();
    const [id] = (await requested()) as [string];
    const request = await settled(id);
    expect(request).toMatchObject({ status: 'signed', kms_key_arn: key.keyArn });
    expect(await signerOf(request)).toBe(`CN=Test seal-${key.keyId}`);
    const pdf = await around.objects.get(request.document_key as string);
    expect(verify('RSA-SHA256', pdf, key.publicKeyPem, request.signature as Buffer)).toBe(true);

    const [{ content, cms }] = signaturesIn(pdf, pki.folder) as [{ content: string; cms: string }];
    const chain = ['-CAfile', pki.rootFile, '-purpose', 'any', '-out', '/dev/null'];
    pki.openssl('cms', '-verify', '-binary', '-inform', 'DER', '-in', cms, '-content', content, ...chain); // the rest of the chain is in the file
    if (pdfsigThere) {
      fs.writeFileSync(path.join(pki.folder, 'own.pdf'), pdf);
      const report = spawnSync('pdfsig', ['-nocert', 'own.pdf'], { cwd: pki.folder, encoding: 'utf8' }).stdout;
      expect(report).toContain('Signature is Valid.');
      expect(report).toContain(`Test seal-${key.keyId}`);
    }
    const verified = async (of: string) =>
      (await signing.call<VerificationView>(`/v1/signatures/${of}/verify`, { method: 'POST', key: tenant.apiKey }))
        .body;
    expect(await verified(id)).toMatchObject({
      ...{ valid: true, kms_key_arn: key.keyArn },
      embedded_signature: { valid: true, signer: `CN=Test seal-${key.keyId}` },
    });
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    expect((await signing.call(`/v1/verify/by-sha256/${sha256}`)).body).toMatchObject({
      public_key_url: `http://signing.test/keys/${createHash('sha256').update(key.spkiDer).digest('hex')}.pem`,
    });

    const other = await testTenant(store);
    const others = await settled((await requested(other))[0] as string);
    expect(others.kms_key_arn).toBe(around.kms.keyArn);
    expect(await signerOf(others)).toBe('CN=Constancia, O=Constancia, C=CO');

    await settings('DELETE');
    const late = await settled((await requested())[0] as string);
    expect(late.kms_key_arn).toBe(around.kms.keyArn);
    for (const one of [before, id])
      expect(await verified(one)).toMatchObject({ valid: true, embedded_signature: { valid: true } });
  });

  it('each have one key, also when it is changed while many are sealed', async () => {
    const keys = [await withOwnKey('-1'), await withOwnKey('-2')];
    const bodies = keys.map((key) => settingsFor(pki, key));
    const ids = await requested(tenant, 30);
    await Promise.all([worker({ processes: 1 }), worker({ processes: 1 })]);
    for (let nth = 0; nth < 6; nth++)
      await (nth % 3 === 2 ? settings('DELETE') : settings('PUT', bodies[nth % 2] as object));
    const arns = new Map(keys.map((key) => [key.keyArn, `CN=Test seal-${key.keyId}`]));
    arns.set(around.kms.keyArn, 'CN=Constancia, O=Constancia, C=CO');
    for (const id of ids) {
      const request = await settled(id, 40_000);
      expect(request.status).toBe('signed');
      expect(await signerOf(request)).toBe(arns.get(request.kms_key_arn as string));
      expect((await signing.call(`/v1/signatures/${id}/verify`, { method: 'POST', key: tenant.apiKey })).body).toMatchObject({
        ...{ valid: true, embedded_signature: { valid: true } },
      });
    } // prettier-ignore
  });

  it('wait while KMS does not let it be used, say why, and hold up nobody else’s', async () => {
    const key = await withOwnKey();
    await kmsAction(around.kms.url, 'DisableKey', { KeyId: key.keyId });
    const metrics = (await worker()).get(Metrics);
    const [id] = (await requested()) as [string];
    const [envelope] = (await signedEnvelopes(store, around, tenant)) as [string];
    expect(await attempted(id)).toMatchObject({ status: 'pending', document_key: null });
    await eventually(async () =>
      expect(await envelopeOf(store, envelope)).toMatchObject({ status: 'sealing', last_setback: 'tenant_key' }),
    );
    expect(await settings('GET')).toMatchObject({ kms_key: key.alias, problem: { code: 'key_unusable' } });
    expect(await metrics.text()).toMatch(/seals_deferred_total\{.*cause="tenant_key".*\} [1-9]/);
    const other = await testTenant(store);
    expect(await settled((await requested(other))[0] as string)).toMatchObject({ status: 'signed' });
    const asked = around.kms.calls();
    const more = await requested(tenant, 5);
    await Promise.all(more.map(attempted));
    expect(around.kms.calls() - asked).toBeLessThan(5); // those that wait do not all ask for the key

    await kmsAction(around.kms.url, 'EnableKey', { KeyId: key.keyId });
    await settings('PUT', settingsFor(pki, key));
    for (const one of [id, ...more])
      expect(await settled(one)).toMatchObject({ status: 'signed', kms_key_arn: key.keyArn });
    await eventually(async () => expect((await envelopeOf(store, envelope)).status).toBe('sealed'), 20_000);
    expect(await settings('GET')).toMatchObject({ problem: null });
  });

  it('wait while KMS refuses the service its use, and no other key takes its place', async () => {
    const key = await withOwnKey();
    around.kms.refuseKeys([key.keyId]);
    await worker();
    const [id] = (await requested()) as [string];
    const [envelope] = (await signedEnvelopes(store, around, tenant)) as [string];
    expect(await attempted(id)).toMatchObject({ status: 'pending', document_key: null, kms_key_arn: null });
    await eventually(async () =>
      expect(await envelopeOf(store, envelope)).toMatchObject({ status: 'sealing', last_setback: 'tenant_key' }),
    );
    expect(await settings('GET')).toMatchObject({ kms_key: key.alias, problem: { code: 'key_refused' } });
    const other = await testTenant(store);
    expect(await settled((await requested(other))[0] as string)).toMatchObject({ kms_key_arn: around.kms.keyArn });
    expect(await row(id)).toMatchObject({ status: 'pending', document_key: null });

    around.kms.refuseKeys([]);
    await settings('PUT', settingsFor(pki, key));
    expect(await settled(id)).toMatchObject({ status: 'signed', kms_key_arn: key.keyArn });
    await eventually(async () => expect((await envelopeOf(store, envelope)).status).toBe('sealed'), 20_000);
    expect(await settings('GET')).toMatchObject({ problem: null });
  });

  it('that wait for it are sealed with the platform’s only when the tenant removes it', async () => {
    const key = await withOwnKey();
    await kmsAction(around.kms.url, 'DisableKey', { KeyId: key.keyId });
    await worker();
    const [id] = (await requested()) as [string];
    await attempted(id);
    await settings('DELETE');
    expect(await settled(id)).toMatchObject({ status: 'signed', kms_key_arn: around.kms.keyArn });
  });

  it('are given up in the end as without it, refunded, with the reason; never sealed with another key', async () => {
    const key = await withOwnKey();
    // Its chain ends: the row is what time would make of it.
    const { pem } = pki.issue({ name: `ended-${key.keyId}`, profile: 'signer', days: -0.5 });
    await store.query('update signing.signing_key set certificate_der = $2 where fingerprint = sha256($1)', [
      key.spkiDer,
      Buffer.from(pem.split('-----')[2] as string, 'base64'),
    ]);
    expect(await settings('GET')).toMatchObject({ problem: { code: 'certificate_expired' } });
    const calls = around.kms.calls();
    const [id] = (await requested()) as [string];
    await worker({ giveUpSeconds: 1 });
    for (let attempt = 1; attempt < 3; attempt++) {
      await eventually(async () => expect((await row(id)).attempts).toBe(attempt), 20_000);
      await eventually(async () => expect((await row(id)).lease_token).toBeNull());
      await store.query('update signing.signature_request set retry_at = now() where tenant_id = $1', [tenant.id]);
    }
    expect(await settled(id)).toMatchObject({
      status: 'failed',
      failure_code: 'signing_unavailable',
      failure_reason: expect.stringContaining('GET /v1/signing-settings'),
      credits_refunded: 40,
      document_key: null,
    });
    expect(around.kms.calls() - calls).toBeLessThan(3); // data keys alone
  });
});
