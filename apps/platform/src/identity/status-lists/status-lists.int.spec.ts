import { keyFinderOf, readJwt } from '@constancia/signed-jwt';
import { STATUS, verifyStatusList } from '@constancia/status-list';
import { Logger, Metrics } from '@constancia/telemetry';
import { eventually, testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { runningIdentity, type RunningIdentity } from '../running-identity.fixture.ts';
import { TokenKeys } from '../token-keys/token-keys.ts';
import { SignedStatusLists } from './signed-status-lists.ts';
import { allotStatusPlaces, setStatuses, STATUS_LIST_SIZE, type StatusPlace } from './status-indexes.ts';

const BASE = 'http://platform.test/v1/wallet';

let store: TestDatabase;
let platform: RunningIdentity;
let database: IdentityDatabase;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store);
  database = platform.app.get(IdentityDatabase, { strict: false });
});
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});

const allot = (count: number, size?: number) => database.transaction((tx) => allotStatusPlaces(tx, count, size));
const change = (places: StatusPlace[], status: number) => database.transaction((tx) => setStatuses(tx, places, status));
const lists = () => platform.app.get(SignedStatusLists, { strict: false });
/** A process that has read nothing yet. */
function process(keys: TokenKeys = platform.app.get(TokenKeys, { strict: false })): SignedStatusLists {
  const config = platform.app.get(PlatformConfig, { strict: false });
  return new SignedStatusLists(
    config,
    database,
    keys,
    platform.app.get(Logger, { strict: false }),
    new Metrics({ app: 'test' }),
  );
}
const idOf = (address: string) => address.split('/').at(-1) as string;
const download = (address: string, headers: Record<string, string> = {}) =>
  platform.call(new URL(address).pathname, { headers });

/** The list at an address, verified as a verifier does. */
async function verified(address: string) {
  const { status, text } = await download(address);
  expect(status).toBe(200);
  const rows = await store.query<{ public_jwk: object }>(
    `select public_jwk from identity.token_key where key_set = 'status_list'`,
  );
  const findKey = keyFinderOf({ keys: rows.map(({ public_jwk }) => public_jwk) as never[] });
  return verifyStatusList(text, { uri: address, findKey });
}

/** Forgets every list, so that a test begins with none. */
const withoutLists = () =>
  store.query('truncate identity.status_list, identity.status_list_pool, identity.status_entry cascade');

describe('places in status lists', () => {
  it('are given out once, however many ask at once, and a list that is full is followed by the next', async () => {
    await withoutLists();
    const size = 64;
    const batches = await Promise.all(Array.from({ length: 40 }, () => allot(8, size)));
    const places = batches.flat().map(({ list_id, idx }) => `${list_id} ${idx}`);
    expect(places).toHaveLength(320);
    expect(new Set(places).size).toBe(320);
    const lists = [...new Set(batches.flat().map(({ list_id }) => list_id))];
    const whole = Array.from({ length: size }, (_, at) => at);
    expect(lists).toHaveLength(5);
    for (const list of lists) {
      const idxs = batches.flat().filter(({ list_id }) => list_id === list);
      expect(idxs.map(({ idx }) => idx).sort((a, b) => a - b)).toEqual(whole);
    }
    expect(await store.query('select 1 from identity.status_list_pool')).toEqual([]);
  });

  it('of a transaction that fails are given out again', async () => {
    await withoutLists();
    await allot(60, 64);
    const failed = database.transaction(async (tx) => {
      await allotStatusPlaces(tx, 8, 64);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    const last = await allot(4, 64);
    expect(new Set(last.map(({ list_id }) => list_id)).size).toBe(1);
    expect(await store.query('select 1 from identity.status_list')).toHaveLength(1);
  });

  it('are drawn at random from the whole of a list', async () => {
    await withoutLists();
    const places = await allot(1_000);
    const idxs = places.map(({ idx }) => idx);
    expect(Math.max(...idxs)).toBeLessThan(STATUS_LIST_SIZE);
    // Mean and neighbours of 1,000 draws from 131,072, within six deviations.
    const mean = idxs.reduce((sum, idx) => sum + idx, 0) / idxs.length;
    expect(Math.abs(mean - STATUS_LIST_SIZE / 2)).toBeLessThan((6 * STATUS_LIST_SIZE) / Math.sqrt(12 * 1_000));
    const rising = idxs.filter((idx, at) => at > 0 && idx > (idxs[at - 1] as number)).length;
    expect(Math.abs(rising - 500)).toBeLessThan(60);
    expect(await allot(0)).toEqual([]);
  });
});

describe('the endpoint of a status list', () => {
  it('answers a signed list that anybody verifies, may keep for five minutes, and finds in the list of lists', async () => {
    await withoutLists();
    const [place] = (await allot(1)) as [StatusPlace];
    const address = lists().addressOf(place.list_id);
    const { body } = await platform.call<{ status_lists: string[] }>('/v1/wallet/status-lists');
    expect(body.status_lists).toEqual([address]);
    const { headers, text } = await download(address);
    expect(headers.get('content-type')).toBe('application/statuslist+jwt');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const { header, payload } = readJwt(text, 524_288);
    expect(header).toMatchObject({ alg: 'ES256', typ: 'statuslist+jwt' });
    expect(payload).toMatchObject({ sub: address, ttl: 300, status_list: { bits: 2, aggregation_uri: `${BASE}/status-lists` } }); // prettier-ignore
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3_600);
    expect((await verified(address)).statusAt(STATUS_LIST_SIZE - 1)).toBe(STATUS.valid);

    const again = await download(address, { 'if-none-match': headers.get('etag') as string });
    expect([again.status, again.text]).toEqual([304, '']);
    for (const id of ['stl_01jd8m3x5se9t8qzvwpk4c2d6h', 'x', 'wlt_01jd8m3x5se9t8qzvwpk4c2d6h']) {
      expect([id, (await download(`${BASE}/status-list/${id}`)).status]).toEqual([id, 404]);
    }
  });

  it('shows a change within five seconds in every process, which signs it once for all of them', async () => {
    await withoutLists();
    const places = await allot(3);
    const [revoked, superseded, valid] = places as [StatusPlace, StatusPlace, StatusPlace];
    const address = lists().addressOf(revoked.list_id);
    const other = process();
    const before = await other.find(idOf(address));
    expect((await download(address)).text).toBe(before?.token);

    const changedAt = Date.now();
    await change([revoked], STATUS.revoked);
    await change([superseded, revoked], STATUS.superseded);
    const list = await eventually(async () => {
      const seen = await verified(address);
      expect(seen.statusAt(revoked.idx)).toBe(STATUS.revoked);
      expect((await other.find(idOf(address)))?.token).not.toBe(before?.token);
      return seen;
    });
    expect(Date.now() - changedAt).toBeLessThan(5_000);
    expect(list.statusAt(superseded.idx)).toBe(STATUS.superseded);
    expect(list.statusAt(valid.idx)).toBe(STATUS.valid);

    const answers = await Promise.all([
      ...Array.from({ length: 20 }, async () => (await download(address)).text),
      ...Array.from({ length: 20 }, async () => (await other.find(idOf(address)))?.token),
    ]);
    expect(new Set(answers).size).toBe(1);
    const [row] = await store.query<{ token: string; version: number; token_version: number }>(
      'select token, version, token_version from identity.status_list',
    );
    expect(row).toEqual({ token: answers[0], version: 2, token_version: 2 });
  });

  it('signs again before it expires, keeps a valid one while it cannot, and hides no change', async () => {
    await withoutLists();
    const [place] = (await allot(1)) as [StatusPlace];
    const id = idOf(lists().addressOf(place.list_id));
    const first = await process().find(id);
    const pass = (minutes: number) =>
      store.query('update identity.status_list set signed_at = signed_at - make_interval(mins => $1)', [minutes]);
    await pass(29);
    expect((await process().find(id))?.token).toBe(first?.token);
    await pass(2);
    const second = await process().find(id);
    expect(second?.token).not.toBe(first?.token);

    const keys = platform.app.get(TokenKeys, { strict: false });
    const unavailable = Object.create(keys, {
      signer: { value: () => Promise.reject(new Error('no key service')) },
    }) as TokenKeys;
    const cut = () => process(unavailable);
    await pass(35);
    expect((await cut().find(id))?.token).toBe(second?.token);
    await change([place], STATUS.revoked);
    await expect(cut().find(id)).rejects.toThrow('no key service');
    await pass(30);
    await expect(cut().find(id)).rejects.toThrow('no key service');
  });
});
