import { spawnSync } from 'node:child_process';
import { Metrics } from '@constancia/telemetry';
import {
  ContractChecker,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { testKms } from '@constancia/testing/test-kms';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  publicKeyInfrastructure,
  type PublicKeyInfrastructure,
} from '../../../../libs/pdf-sealing/src/evidence/public-key-infrastructure.fixture.ts';
import { type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { settingsFor, tenantKmsKey } from './tenant-key.fixture.ts';
import { WatchCertificates } from './watch-certificates.ts';

const opensslThere = spawnSync('openssl', ['version']).error === undefined;

describe.skipIf(!opensslThere)('the end of the certificates that documents are sealed with', () => {
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
    await store.query('delete from signing.signing_settings');
    await store.query("update signing.signing_key set status = 'retired'");
    tenant = await testTenant(store);
  });
  afterAll(async () => {
    await signing?.close();
    await Promise.all([pki?.close(), store?.drop()]);
  });

  async function sealsUntil(days: number, of = tenant): Promise<void> {
    const key = await tenantKmsKey(kms.url, of.id, `-${crypto.randomUUID()}`);
    const body = settingsFor(pki, key, days);
    const { status } = await signing.call('/v1/signing-settings', { method: 'PUT', key: of.apiKey, body });
    expect(status).toBe(200);
  }
  const watch = () => signing.app.get(WatchCertificates).run();
  async function daysLeft(): Promise<Record<string, number>> {
    const found = (await signing.app.get(Metrics).text()).matchAll(
      /^signing_certificate_days_left\{.*owner="(\w+)".*\} (\S+)$/gm,
    );
    return Object.fromEntries([...found].map(([, owner, days]) => [owner, Number(days)]));
  }
  /** Without the owner that every tenant begins with. */
  const notified = (of = tenant) =>
    store.query<{ name: string; mailed: boolean }>(
      `select m.name, exists (select from platform.member_mail l where l.member_id = m.id and l.kind = n.kind) as mailed
         from platform.member_notification n join platform.member m on m.id = n.member_id
        where n.tenant_id = $1 and n.kind = 'certificate_ends' and m.name <> 'owner' order by m.name, n.id`,
      [of.id],
    );

  it('is measured: the earliest of any tenant, and of the platform; none when nobody has one', async () => {
    await watch();
    expect(await daysLeft()).toEqual({});
    const other = await testTenant(store);
    await sealsUntil(60);
    await sealsUntil(40, other);
    const { pem } = pki.issue({ name: `platform-${crypto.randomUUID()}`, profile: 'signer', days: 20 });
    await store.query(
      `insert into signing.signing_key (fingerprint, key_arn, algorithm, public_key_pem, certificate_der, status)
       values (sha256($1), 'arn', 'RSASSA_PKCS1_V1_5_SHA_256', '-', $1, 'active')`,
      [Buffer.from(pem.split('-----')[2] as string, 'base64')],
    );
    await watch();
    const { tenant: own, platform } = await daysLeft();
    expect(own).toBeGreaterThan(39);
    expect(own).toBeLessThanOrEqual(40);
    expect(platform).toBeGreaterThan(19);
    expect(platform).toBeLessThanOrEqual(20);

    await signing.call('/v1/signing-settings', { method: 'DELETE', key: other.apiKey });
    await watch();
    expect((await daysLeft()).tenant).toBeGreaterThan(59);
  });

  it('is not that of a closed tenant, or of a certificate that was replaced', async () => {
    const closed = await testTenant(store);
    await sealsUntil(5, closed);
    await store.query(
      `insert into platform.tenant_closing (tenant_id, requested_at, requested_by, requested_by_name, closes_at, closed_at)
       values ($1, now(), gen_random_uuid(), 'Olga', now(), now())`,
      [closed.id],
    );
    await sealsUntil(6);
    await sealsUntil(90);
    await watch();
    expect((await daysLeft()).tenant).toBeGreaterThan(89);
    expect(await notified()).toEqual([]);
    expect(await notified(closed)).toEqual([]);
  });

  it('is announced to owners and administrators once 30 days before and once 7 days before, however often it is looked at', async () => {
    const names = { owner: 'Olga', admin: 'Ada', developer: 'Dora', sender: 'Sara', auditor: 'Aura' } as const;
    for (const [role, name] of Object.entries(names))
      await testMember(store, tenant.id, role as keyof typeof names, { name });
    await sealsUntil(31);
    await watch();
    expect(await notified()).toEqual([]);
    await sealsUntil(29);
    for (let nth = 0; nth < 3; nth++) await Promise.all([watch(), watch()]);
    const [ada, olga] = [{ name: 'Ada', mailed: true }, { name: 'Olga', mailed: true }]; // prettier-ignore
    expect(await notified()).toEqual([ada, olga]);
    await sealsUntil(6);
    for (let nth = 0; nth < 3; nth++) await watch();
    expect(await notified()).toEqual([ada, ada, olga, olga]);
  });

  it('is announced 7 days before of a chain that was announced 30 days before', async () => {
    await testMember(store, tenant.id, 'owner', { name: 'Olga' });
    await sealsUntil(20);
    await watch();
    const [row] = await store.query<{ occasion: string }>(
      "select occasion from platform.member_notification where tenant_id = $1 and kind = 'certificate_ends'",
      [tenant.id],
    );
    expect(row?.occasion).toMatch(/^\d{4}-\d\d-\d\dT.*Z 30$/);
    const end = (row?.occasion as string).split(' ')[0] as string;
    vi.useFakeTimers({ now: Date.parse(end) - 6 * 86_400_000, toFake: ['Date'] });
    try {
      await watch();
      await watch();
    } finally {
      vi.useRealTimers();
    }
    expect(await notified()).toHaveLength(2);
  });
});
