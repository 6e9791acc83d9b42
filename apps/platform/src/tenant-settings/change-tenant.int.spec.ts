import { Database } from '@constancia/persistence';
import { eventually, testDatabase, type TestDatabase, testMember, testTenant } from '@constancia/testing';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '@constancia/testing/calls';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import type { TenantView } from '../tenants/tenant-view.ts';

let database: TestDatabase;
let platform: RunningPlatform;
/** A second process: what the first one changes must reach it. */
let other: RunningPlatform;

beforeAll(async () => {
  database = await testDatabase();
  [platform, other] = await Promise.all([runningPlatform(database), runningPlatform(database)]);
});
afterAll(async () => {
  await Promise.all([platform?.close(), other?.close()]);
  await database?.drop();
});

const patch = <Body = TenantView>(id: string, key: string, body: unknown) =>
  platform.call<Body>(`/tenants/${id}`, { method: 'PATCH', key, body });
const actions = async (tenantId: string): Promise<string[]> => {
  const rows = await database.query<{ type: string }>(
    'select type from platform.audit_entry where tenant_id = $1 order by seq',
    [tenantId],
  );
  return rows.map(({ type }) => type);
};

describe('PATCH /tenants/{id}', () => {
  it('changes name, language and colour, keeps what is left out, and is in the audit log', async () => {
    const tenant = await testTenant(database);
    const named = await patch(tenant.id, tenant.apiKey, { display_name: '  Notaría Quinta ', locale: 'en' });
    expect(named.status).toBe(200);
    const colored = await patch(tenant.id, tenant.apiKey, { branding: { color: '#0B5A55' } });
    expect(colored.body).toMatchObject({
      display_name: 'Notaría Quinta',
      locale: 'en',
      branding: {
        color: { value: '#0b5a55', readable_on: ['white'], text_on_color: '#ffffff' },
        logo: null,
      },
    });
    expect((await platform.call(`/tenants/${tenant.id}`, { key: tenant.apiKey })).body).toEqual(colored.body);
    expect((await patch(tenant.id, tenant.apiKey, { branding: { color: null } })).body.branding.color).toBeNull();
    await patch(tenant.id, tenant.apiKey, { locale: 'en' });
    expect(await actions(tenant.id)).toEqual(['tenant.changed', 'tenant.changed', 'tenant.changed']);
  });

  it.each([
    ['/display_name', { display_name: 'Bаnco' }], // the second letter is Cyrillic
    ['/display_name', { display_name: 'A\u202eB' }],
    ['/display_name', { display_name: '' }],
    ['/locale', { locale: 'fr' }],
    ['/branding/color', { branding: { color: 'red' } }],
    ['/branding/logo', { branding: { color: null, logo: 'x' } }],
    ['/owner_email', { owner_email: 'nobody' }],
    ['/slug', { slug: 'another' }],
  ])('refuses %s of %j', async (pointer, body) => {
    const tenant = await testTenant(database);
    const answer = await patch<Problem>(tenant.id, tenant.apiKey, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  it('needs settings:write, and the own tenant', async () => {
    const [tenant, stranger] = [await testTenant(database), await testTenant(database)];
    const auditor = await testMember(database, tenant.id, 'auditor');
    const asAuditor = await platform.call(`/tenants/${tenant.id}`, {
      ...{ method: 'PATCH', member: auditor.token, body: { locale: 'en' } },
    });
    expect(asAuditor.status).toBe(403);
    expect((await patch(tenant.id, stranger.apiKey, { locale: 'en' })).status).toBe(404);
  });

  it('invites new members in the language of the tenant', async () => {
    const tenant = await testTenant(database);
    const invite = (email: string, locale?: string) =>
      platform.call<{ locale: string }>('/v1/members', {
        ...{ key: tenant.apiKey, body: { email, name: 'Ana Ruiz', role: 'auditor', locale } },
      });
    expect((await invite('a@members.example')).body.locale).toBe('es-CO');
    await patch(tenant.id, tenant.apiKey, { locale: 'en' });
    expect((await invite('b@members.example')).body.locale).toBe('en');
    expect((await invite('c@members.example', 'es-CO')).body.locale).toBe('es-CO');
  });

  it('of two at once keeps what each changed', async () => {
    const tenant = await testTenant(database);
    const answers = await Promise.all([
      patch(tenant.id, tenant.apiKey, { display_name: 'Banco Uno' }),
      patch(tenant.id, tenant.apiKey, { branding: { color: '#123456' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await platform.call<TenantView>(`/tenants/${tenant.id}`, { key: tenant.apiKey });
    expect(body).toMatchObject({ display_name: 'Banco Uno', branding: { color: { value: '#123456' } } });
  });
});

describe('the logo of a tenant', () => {
  const picture = () =>
    sharp({ create: { width: 800, height: 400, channels: 4, background: { r: 10, g: 90, b: 85, alpha: 0.5 } } })
      .withExif({ IFD0: { Copyright: 'a secret of the camera' } })
      .png()
      .toBuffer();
  const put = (id: string, key: string, body: Buffer, type = 'image/png') =>
    platform.call<{ url: string; sha256: string; width: number; height: number }>(`/tenants/${id}/logo`, {
      ...{ method: 'PUT', key, body, headers: { 'content-type': type } },
    });
  const load = (running: RunningPlatform, url: string) => running.call(new URL(url).pathname);

  it('is pixels and nothing else of the file, at a public address that never changes', async () => {
    const tenant = await testTenant(database);
    const { status, body } = await put(tenant.id, tenant.apiKey, await picture());
    expect([status, body.width, body.height]).toEqual([200, 512, 256]);
    expect(body.url).toBe(`http://platform.test/logos/${body.sha256}.png`);
    const shown = await load(other, body.url);
    expect(shown.status).toBe(200);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
    const [row] = await database.query<{ bytes: Buffer }>(
      'select bytes from platform.tenant_logo where tenant_id = $1',
      [tenant.id],
    );
    const metadata = await sharp(row?.bytes).metadata();
    expect(metadata).toMatchObject({ format: 'png', width: 512, height: 256, hasAlpha: true });
    expect(metadata.exif).toBeUndefined();
    expect(row?.bytes.includes('secret')).toBe(false);
    const { body: view } = await platform.call<TenantView>(`/tenants/${tenant.id}`, { key: tenant.apiKey });
    expect(view.branding.logo).toEqual(body);
  });

  it('ends at its address when it is removed, and is the same address for the same picture', async () => {
    const tenant = await testTenant(database);
    const jpeg = await sharp(await picture())
      .flatten({ background: '#fff' })
      .resize(40)
      .jpeg()
      .toBuffer();
    const { body } = await put(tenant.id, tenant.apiKey, jpeg, 'image/jpeg');
    expect((await put(tenant.id, tenant.apiKey, jpeg, 'image/jpeg')).body.url).toBe(body.url);
    const remove = () => platform.call(`/tenants/${tenant.id}/logo`, { method: 'DELETE', key: tenant.apiKey });
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 204]);
    expect((await load(platform, body.url)).status).toBe(404);
  });

  it('is refused when it is no picture, too many pixels, or too large', async () => {
    const tenant = await testTenant(database);
    const codes = async (bytes: Buffer) =>
      ((await put(tenant.id, tenant.apiKey, bytes)).body as unknown as Problem).errors?.map(({ code }) => code);
    expect(await codes(Buffer.from('<svg onload="alert(1)"/>'))).toEqual(['unreadable']);
    const bomb = sharp({ create: { width: 3_000, height: 3_000, channels: 3, background: '#fff' } }).png();
    expect(await codes(await bomb.toBuffer())).toEqual(['too_many_pixels']);
    expect((await put(tenant.id, tenant.apiKey, Buffer.alloc(256 * 1024 + 1))).status).toBe(413);
    expect((await put(tenant.id, tenant.apiKey, Buffer.from('x'), 'image/svg+xml')).status).toBe(415);
  });
});

describe('platform_v1.tenant_branding', () => {
  it('shows another module name, language, colour and logo of the tenant it asks for, and nothing else', async () => {
    const [tenant, plain] = [await testTenant(database), await testTenant(database)];
    await patch(tenant.id, tenant.apiKey, { display_name: 'Banco Uno', locale: 'en', branding: { color: '#0B5A55' } });
    const body = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#0b5a55' } })
      .png()
      .toBuffer();
    const headers = { 'content-type': 'image/png' };
    const put = { method: 'PUT', key: tenant.apiKey, body, headers };
    const logo = await platform.call<{ sha256: string }>(`/tenants/${tenant.id}/logo`, put);
    const signing = await Database.connect({ url: database.app('signing'), applicationName: 'branding' });
    const shown = (id: string) => signing.query('select * from platform_v1.tenant_branding($1)', [id]);
    expect(await shown(tenant.id)).toEqual([
      {
        ...{ display_name: 'Banco Uno', locale: 'en', color: '#0b5a55' },
        ...{ logo_sha256: logo.body.sha256, logo_width: 40, logo_height: 20 },
      },
    ]);
    expect(await shown(plain.id)).toEqual([
      {
        ...{ display_name: `Tenant ${plain.slug}`, locale: 'es-CO', color: null },
        ...{ logo_sha256: null, logo_width: null, logo_height: null },
      },
    ]);
    await signing.close();
  });
});

describe('the name of a tenant', () => {
  it('reaches every process within a second', async () => {
    const tenant = await testTenant(database);
    const owner = await testMember(database, tenant.id, 'owner');
    for (const running of [platform, other]) {
      await running.call('/v1/billing/balance', { key: tenant.apiKey });
      await running.call('/v1/billing/balance', { member: owner.token });
    }
    const [key] = await database.query<{ hash: string }>(
      `select encode(key_hash, 'hex') as hash from platform.api_key where tenant_id = $1`,
      [tenant.id],
    );
    const announced: string[] = [];
    const listening = await listener((hash) => announced.push(hash));
    await patch(tenant.id, tenant.apiKey, { display_name: 'Otra Notaría' });
    await eventually(() => expect(announced).toContain(key?.hash), 1_000, 20);
    expect(announced).toHaveLength(2);
    await listening.close();
  });
});

async function listener(onHash: (hash: string) => void): Promise<{ close(): Promise<void> }> {
  const store = await Database.connect({ url: database.app('platform'), applicationName: 'announcements' });
  const subscription = await store.listen('api_key_changed', onHash);
  await eventually(() => expect(store.listening).toBe(true), 5_000, 20);
  return {
    async close() {
      await subscription.close();
      await store.close();
    },
  };
}
