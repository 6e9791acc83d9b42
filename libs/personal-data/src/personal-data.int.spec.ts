import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { uuidv7 } from '@constancia/kernel';
import { DataKeys } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DevKms, startDevKms } from '@constancia/dev-servers/dev-kms';
import { KeysUnavailableError, PersonalData } from './personal-data.ts';
import { TenantKeyring } from './tenant-keyring.ts';

let store: TestDatabase;
let database: Database;
let folder: string;
let kms: DevKms;
let dataKeys: DataKeys;

const another = () => new PersonalData({ schema: 'compliance', database, dataKeys });

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'personal-data-'));
  kms = await startDevKms({ dir: folder });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  dataKeys = new DataKeys('alias/constancia-data', {
    region: 'us-east-1',
    endpoint: kms.url,
    credentials,
    attemptTimeoutMs: 500,
  });
  store = await testDatabase();
  database = await Database.connect({
    url: store.app('compliance'),
    applicationName: 'personal-data',
    poolSize: 6,
  });
});
afterEach(() => kms.setMode('ok'));
afterAll(async () => {
  await database.close();
  await store.drop();
  dataKeys.close();
  await kms.close();
  fs.rmSync(folder, { recursive: true });
});

describe('the keys of a tenant', () => {
  it('are made once, however many processes ask for them at once', async () => {
    const tenant = uuidv7();
    const [one, two] = await Promise.all([another().tenant(tenant), another().tenant(tenant)]);
    const { key, wrapped } = one.newSubject();
    expect(two.subject(key.id, wrapped).open('x', key.seal('x', { name: 'Ana' }))).toEqual({ name: 'Ana' });
    expect(await store.query('select 1 from compliance.tenant_key where tenant_id = $1', [tenant])).toHaveLength(1);
  });

  it('serve without KMS once they are known, and are unavailable until then', async () => {
    const [tenant, stranger, keys] = [uuidv7(), uuidv7(), another()];
    await keys.tenant(tenant);
    kms.setMode('5xx');
    const before = dataKeys.requests;
    expect((await keys.tenant(tenant)).newSubject().wrapped.length).toBeGreaterThan(32);
    expect(dataKeys.requests).toBe(before);
    await expect(keys.tenant(stranger)).rejects.toBeInstanceOf(KeysUnavailableError);
    await expect(another().tenant(tenant)).rejects.toBeInstanceOf(KeysUnavailableError);
    kms.setMode('ok');
    await keys.tenant(stranger);
  });

  it('index equal values equally, for one tenant and one purpose only', async () => {
    const [one, two] = [await another().tenant(uuidv7()), await another().tenant(uuidv7())];
    const index = one.blindIndex('email', 'ana@example.com');
    expect(index).toHaveLength(32);
    expect(one.blindIndex('email', 'ana@example.com')).toEqual(index);
    expect(one.blindIndex('number', 'ana@example.com')).not.toEqual(index);
    expect(two.blindIndex('email', 'ana@example.com')).not.toEqual(index);
  });

  it('go to a thread as bytes', async () => {
    const keyring = await another().tenant(uuidv7());
    const copy = TenantKeyring.ofBytes(structuredClone(keyring.toBytes()));
    const { key, wrapped } = keyring.newSubject();
    expect(copy.subject(key.id, wrapped).openText('c', key.sealText('c', 'Ana'))).toBe('Ana');
    expect(copy.blindIndex('p', 'v')).toEqual(keyring.blindIndex('p', 'v'));
  });
});

describe('the key of a subject', () => {
  it('opens what it sealed only as what it was sealed as, and only with the bytes of its own row', async () => {
    const keyring = await another().tenant(uuidv7());
    const [ana, eva] = [keyring.newSubject(), keyring.newSubject()];
    const sealed = ana.key.seal('screening:1:facts', { full_name: 'Ana' });
    expect(sealed.includes('Ana')).toBe(false);
    expect(() => ana.key.open('screening:2:facts', sealed)).toThrow();
    expect(() => eva.key.open('screening:1:facts', sealed)).toThrow();
    expect(() => keyring.subject(eva.key.id, ana.wrapped)).toThrow();
  });

  it('is one for a reference, also when two transactions begin with it at once', async () => {
    const [tenant, keys] = [uuidv7(), another()];
    const keyring = await keys.tenant(tenant);
    const used = await Promise.all(
      Array.from({ length: 6 }, () => database.tenant(tenant, (tx) => keys.ofRef(tx, keyring, tenant, 'customer-1'))),
    );
    expect(new Set(used.map(({ id }) => id)).size).toBe(1);
    const sealed = used[0]?.seal('c', 1) as Buffer;
    expect(used[5]?.open('c', sealed)).toBe(1);
  });

  it('is followed by another one when it is closed, and opens nothing once destroyed', async () => {
    const [tenant, keys] = [uuidv7(), another()];
    const keyring = await keys.tenant(tenant);
    const ofRef = () => database.tenant(tenant, (tx) => keys.ofRef(tx, keyring, tenant, 'customer-1'));
    const first = await ofRef();
    const seenBy = (tenantId: string) =>
      database.tenant(tenantId, (tx) =>
        tx.query<{ wrapped_key: Buffer | null }>('select wrapped_key from compliance.subject_key where id = $1', [
          first.id,
        ]),
      );
    await database.tenant(tenant, (tx) => keys.close(tx, tenant, [first.id]));
    expect((await ofRef()).id).not.toBe(first.id);
    const [closed] = await seenBy(tenant);
    expect(keyring.subject(first.id, closed?.wrapped_key as Buffer).key).toEqual(first.key);
    await database.tenant(tenant, (tx) => keys.destroy(tx, tenant, [first.id]));
    expect(await seenBy(tenant)).toEqual([{ wrapped_key: null }]);
    expect(await seenBy(uuidv7())).toEqual([]);
  });

  it('is claimed within a unit of work once, and refused when the reference has another one', async () => {
    const [tenant, keys] = [uuidv7(), another()];
    const keyring = await keys.tenant(tenant);
    const claim = (args: object) =>
      database.tenant(tenant, (tx) => tx.query('select compliance.claim_subject_key($1, $2)', [tenant, args]));
    const [one, two] = [keyring.newSubject(), keyring.newSubject()];
    const row = ({ key, wrapped }: typeof one) => ({ id: key.id, ref: 'r', wrapped_key: wrapped.toString('hex') });
    await expect(claim({ id: one.key.id, ref: 'r' })).rejects.toMatchObject({ code: 'CN409' });
    await claim(row(one));
    await claim({ id: one.key.id, ref: 'r' });
    await expect(claim(row(two))).rejects.toMatchObject({ code: 'CN409' });
  });
});

describe('the mode of a schema', () => {
  it('is sealed in a new database, and compatible in an upgraded one until it is finished', async () => {
    expect(await another().isSealed()).toBe(true);
    await store.query(`update compliance.personal_data_mode set mode = 'compatible'`);
    const keys = another();
    expect(await keys.isSealed()).toBe(false);
    await store.query(`update compliance.personal_data_mode set mode = 'sealed'`);
    expect(await keys.isSealed()).toBe(true);
  });
});
