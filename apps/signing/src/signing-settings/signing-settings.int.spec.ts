import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import {
  ContractChecker,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { testKms } from '@constancia/testing/test-kms';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  publicKeyInfrastructure,
  type PublicKeyInfrastructure,
} from '../../../../libs/pdf-sealing/src/evidence/public-key-infrastructure.fixture.ts';
import { type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import type { SigningKeyList } from '../signing-keys/signing-key-view.ts';
import { aliasOf, type SigningSettingsView } from './signing-settings-view.ts';
import { kmsAction, settingsFor, tenantKmsKey } from './tenant-key.fixture.ts';

const opensslThere = spawnSync('openssl', ['version']).error === undefined;

describe.skipIf(!opensslThere)("a tenant's own key", () => {
  let store: TestDatabase;
  let signing: RunningSigning;
  let kms: Awaited<ReturnType<typeof testKms>>;
  let pki: PublicKeyInfrastructure;
  let tenant: TestTenant;

  beforeAll(async () => {
    [store, kms, pki] = await Promise.all([testDatabase(), testKms(), publicKeyInfrastructure()]);
    signing = await runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) });
  }, 60_000);
  beforeEach(async () => {
    tenant = await testTenant(store);
  });
  afterEach(() => {
    kms.setMode('ok');
    kms.refuseKeys([]);
  });
  afterAll(async () => {
    await signing?.close();
    await Promise.all([pki?.close(), store?.drop()]);
  });

  const show = async (of = tenant) =>
    (await signing.call<SigningSettingsView>('/v1/signing-settings', { key: of.apiKey })).body;
  const put = <Body = Problem>(body: unknown, of = tenant) =>
    signing.call<Body>('/v1/signing-settings', { method: 'PUT', key: of.apiKey, body });
  const remove = () => signing.call('/v1/signing-settings', { method: 'DELETE', key: tenant.apiKey });
  const keysOf = async (of: TestTenant) =>
    (await signing.call<SigningKeyList>('/v1/signing-keys', { key: of.apiKey })).body.data;
  const audited = async () =>
    (
      await store.query<{ type: string }>('select type from platform.audit_entry where tenant_id = $1 order by seq', [
        tenant.id,
      ])
    ).map(({ type }) => type);
  const platformKey = async () => {
    const { PublicKey } = await kmsAction<{ PublicKey: string }>(kms.url, 'GetPublicKey', { KeyId: kms.keyId });
    return { ...kms, spkiDer: Buffer.from(PublicKey, 'base64') };
  };

  it('is set with its chain, changed and removed; a former key stays listed, and nobody else sees any of them', async () => {
    const nothing = { kms_key: null, key_arn: null, certificates: [], valid_to: null, problem: null, updated_at: null };
    expect(await show()).toMatchObject({ ...nothing, kms_key_prefix: aliasOf(tenant.id) });
    const first = await tenantKmsKey(kms.url, tenant.id);
    const settings = settingsFor(pki, first, 20);
    const answer = await put<SigningSettingsView>(settings);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ kms_key: first.alias, key_arn: first.keyArn, problem: null });
    expect(answer.body.certificates.map(({ subject, issuer }) => [subject, issuer])).toEqual([
      [`CN=Test seal-${first.keyId}`, 'CN=Test Intermediate'],
      ['CN=Test Intermediate', 'CN=Test Root'],
      ['CN=Test Root', 'CN=Test Root'],
    ]);
    expect(answer.body.valid_to).toBe(answer.body.certificates[0]?.valid_to);
    expect(await show()).toEqual(answer.body);
    expect((await put<SigningSettingsView>(settings)).status).toBe(200);
    expect(await audited()).toEqual(['signing_settings.changed']); // the second time nothing was different

    const second = await tenantKmsKey(kms.url, tenant.id, '-2027');
    expect((await put(settingsFor(pki, second))).status).toBe(200);
    const own = (await keysOf(tenant)).filter(({ owner }) => owner === 'tenant');
    expect(own.map(({ key_arn, status }) => [key_arn, status])).toEqual([
      [second.keyArn, 'active'],
      [first.keyArn, 'retired'],
    ]);
    const other = await testTenant(store);
    const arns = (await keysOf(other)).map(({ key_arn }) => key_arn);
    expect(arns).not.toContain(first.keyArn);
    expect(arns).not.toContain(second.keyArn);
    expect(await show(other)).toMatchObject(nothing);

    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(204);
    expect(await show()).toMatchObject(nothing);
    expect((await keysOf(tenant)).filter(({ owner }) => owner === 'tenant').map(({ status }) => status)).toEqual([
      'retired',
      'retired',
    ]);
    expect(await audited()).toEqual([
      'signing_settings.changed',
      'signing_settings.changed',
      'signing_settings.deleted',
    ]);
    // A document contains its key's fingerprint.
    const path = `/keys/${own[1]?.fingerprint}`;
    expect((await signing.call<string>(`${path}.pem`)).body).toBe(first.publicKeyPem);
    expect((await signing.call<string>(`${path}.crt`)).body).toBe(answer.body.certificate_chain);
  });

  it('is never one that another alias names, nor one that another tenant or the platform signs with', async () => {
    const other = await testTenant(store);
    const others = await tenantKmsKey(kms.url, other.id);
    const refusals = [others.alias, `${aliasOf(tenant.id)}2`, 'alias/constancia-signing', 'alias/constancia-data'];
    for (const alias of refusals)
      expect(await put({ ...settingsFor(pki, others), kms_key: alias })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/kms_key', code: 'not_allowed' }] },
      });
    for (const name of [others.keyArn, others.keyId])
      expect(await put({ ...settingsFor(pki, others), kms_key: name })).toMatchObject({
        body: { errors: [{ pointer: '/kms_key', code: 'wrong_format' }] },
      });

    // An alias of one's own for a key of somebody else.
    expect((await put(settingsFor(pki, others), other)).status).toBe(200);
    const platform = await platformKey();
    await store.query('select signing.register_signing_key(sha256($1), $2, $3, $4)', [
      ...[platform.spkiDer, platform.keyArn, 'RSASSA_PKCS1_V1_5_SHA_256', '-'],
    ]);
    for (const [suffix, key] of [['-a', others], ['-b', platform]] as const) {
      const alias = `${aliasOf(tenant.id)}${suffix}`;
      await kmsAction(kms.url, 'CreateAlias', { AliasName: alias, TargetKeyId: key.keyId });
      const settings = settingsFor(pki, { ...others, spkiDer: key.spkiDer, alias, keyId: `x${suffix}` });
      expect(await put(settings)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/kms_key', code: 'not_allowed' }] },
      });
    } // prettier-ignore
    expect(await show()).toMatchObject({ kms_key: null });
    expect(await show(other)).toMatchObject({ key_arn: others.keyArn });
    expect(await audited()).toEqual([]);
  });

  it('a key that the platform begins to sign with is no tenant’s any more', async () => {
    const key = await tenantKmsKey(kms.url, tenant.id);
    await put(settingsFor(pki, key));
    await store.query('select signing.register_signing_key(sha256($1), $2, $3, $4)', [
      ...[key.spkiDer, key.keyArn, 'RSASSA_PKCS1_V1_5_SHA_256', key.publicKeyPem],
    ]);
    expect(await show()).toMatchObject({ kms_key: key.alias, certificates: [], problem: { code: 'key_unusable' } });
    expect((await put(settingsFor(pki, key))).status).toBe(400);
  });

  it('is not set with a chain that cannot be used: what was set before stays', async () => {
    const key = await tenantKmsKey(kms.url, tenant.id);
    const settings = settingsFor(pki, key);
    await put(settings);
    const before = await show();
    const fault = async (certificate_chain: string) => {
      const { status, body } = await put({ ...settings, certificate_chain });
      expect(status).toBe(400);
      expect(body.errors?.[0]?.pointer).toBe('/certificate_chain');
      return body.errors?.[0]?.code;
    };
    const [leaf, intermediate, root] = settings.certificate_chain.match(
      /-----BEGIN[\s\S]*?-----END CERTIFICATE-----\n/g,
    ) as [string, string, string];
    const expired = pki.issue({ name: 'expired', profile: 'signer', days: -0.5 }).pem;
    const anothers = settingsFor(pki, await tenantKmsKey(kms.url, tenant.id, '-other')).certificate_chain;
    expect(await fault('no certificate')).toBe('wrong_format');
    expect(await fault(leaf.replace('MII', 'AAA'))).toBe('wrong_format');
    expect(await fault(leaf + root)).toBe('wrong_order');
    expect(await fault(settings.certificate_chain + root.repeat(3))).toBe('too_many');
    expect(await fault(expired)).toBe('expired');
    expect(await fault(intermediate + root)).toBe('not_for_signatures');
    expect(await fault(leaf + fs.readFileSync(`${pki.folder}/root.key`, 'utf8'))).toBe('private_key');
    expect(await fault(anothers)).toBe('other_key');
    expect(await fault('x'.repeat(40_000))).toBe('too_long');
    expect((await put({ kms_key: key.alias })).body.errors).toMatchObject([
      { pointer: '/certificate_chain', code: 'required' },
    ]);
    expect(await show()).toEqual(before);
    expect(await audited()).toEqual(['signing_settings.changed']);
  });

  it('is not set when KMS has no such key, has it disabled, does not let the service use it, or does not answer', async () => {
    const key = await tenantKmsKey(kms.url, tenant.id);
    const settings = settingsFor(pki, key);
    const unusable = { status: 400, body: { errors: [{ pointer: '/kms_key', code: 'key_unusable' }] } };
    expect(await put({ ...settings, kms_key: `${key.alias}-none` })).toMatchObject(unusable);
    await kmsAction(kms.url, 'DisableKey', { KeyId: key.keyId });
    expect(await put(settings)).toMatchObject(unusable);
    await kmsAction(kms.url, 'EnableKey', { KeyId: key.keyId });

    const symmetric = await kmsAction<{ KeyMetadata: { KeyId: string } }>(kms.url, 'CreateKey', {});
    const alias = `${key.alias}-data`;
    await kmsAction(kms.url, 'CreateAlias', { AliasName: alias, TargetKeyId: symmetric.KeyMetadata.KeyId });
    expect((await put({ ...settings, kms_key: alias })).status).toBe(400);

    kms.refuseKeys([key.keyId]);
    expect(await put(settings)).toMatchObject({
      status: 400,
      body: {
        errors: [{ pointer: '/kms_key', code: 'key_refused', detail: expect.stringContaining('kms:GetPublicKey and kms:Sign') }],
      },
    }); // prettier-ignore
    kms.refuseKeys([]);

    kms.setMode('5xx');
    const away = await put(settings);
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    kms.setMode('ok');
    expect(await show()).toMatchObject({ kms_key: null });
    expect((await put(settings)).status).toBe(200);
  });

  it('is changed by owners and administrators alone, and read by every role that reads documents', async () => {
    const key = await tenantKmsKey(kms.url, tenant.id);
    const body = settingsFor(pki, key);
    for (const [role, read, write] of [['auditor', 200, 403], ['analyst', 403, 403], ['sender', 200, 403], ['admin', 200, 200]] as const) {
      const { token } = await testMember(store, tenant.id, role);
      expect((await signing.call('/v1/signing-settings', { member: token })).status, role).toBe(read);
      expect((await signing.call('/v1/signing-settings', { method: 'PUT', member: token, body })).status, role).toBe(write);
      const removed = await signing.call('/v1/signing-settings', { method: 'DELETE', member: token });
      expect(removed.status, role).toBe(write === 200 ? 204 : 403);
    } // prettier-ignore
  });
});
