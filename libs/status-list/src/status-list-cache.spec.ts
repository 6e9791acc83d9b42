import { describe, expect, it } from 'vitest';
import { es256Keys } from '../../../libs/signed-jwt/src/es256-keys.fixture.ts';
import { STATUS, StatusList } from './status-list.ts';
import { StatusListCache } from './status-list-cache.ts';
import { issueStatusList } from './status-list-token.ts';

const START = 1_800_000_000;
const URI = 'https://wallet.example/v1/wallet/status-list/1';
const keys = es256Keys();

/** An issuer whose list and clock a test changes, and a verifier's cache of its lists. */
class Issuer {
  nowS = START;
  ttlS = 300;
  fetched = 0;
  available = true;
  readonly list = StatusList.ofSize(2, 64);
  readonly cache = new StatusListCache({
    fetch: (uri) => this.answer(uri),
    findKey: () => keys.publicKey,
    now: () => this.nowS,
  });

  statusAt(idx: number, uri = URI): Promise<number> {
    return this.cache.statusOf({ uri, idx });
  }

  private async answer(uri: string): Promise<string> {
    this.fetched += 1;
    if (!this.available) throw new Error('unreachable');
    const issue = { list: this.list, uri, issuedAtS: this.nowS, lifetimeS: 3_600, ttlS: this.ttlS };
    return issueStatusList(issue, keys.signer);
  }
}

describe('a cache of status lists', () => {
  it('fetches a list once for all who ask at the same time, and for as long as it may be kept', async () => {
    const issuer = new Issuer();
    issuer.list.set(7, STATUS.suspended);
    expect(await Promise.all([7, 8, 7].map((idx) => issuer.statusAt(idx)))).toEqual([2, 0, 2]);
    issuer.nowS += 299;
    expect(await issuer.statusAt(7)).toBe(2);
    expect(issuer.fetched).toBe(1);
  });

  it('sees a revocation after five minutes at the latest, whatever the issuer allows', async () => {
    const issuer = new Issuer();
    issuer.ttlS = 86_400;
    expect(await issuer.statusAt(7)).toBe(0);
    issuer.list.set(7, STATUS.revoked);
    issuer.nowS += 300;
    expect(await issuer.statusAt(7)).toBe(1);
    expect(issuer.fetched).toBe(2);
  });

  it('sees it earlier where the issuer asks for it', async () => {
    const issuer = new Issuer();
    issuer.ttlS = 5;
    await issuer.statusAt(7);
    issuer.list.set(7, STATUS.revoked);
    issuer.nowS += 5;
    expect(await issuer.statusAt(7)).toBe(1);
  });

  it('answers nothing while a list that may be kept no longer cannot be fetched, and asks again', async () => {
    const issuer = new Issuer();
    await issuer.statusAt(7);
    [issuer.available, issuer.nowS] = [false, issuer.nowS + 300];
    for (const idx of [7, 8]) await expect(issuer.statusAt(idx)).rejects.toThrow('unreachable');
    issuer.available = true;
    expect(await issuer.statusAt(7)).toBe(0);
    expect(issuer.fetched).toBe(4);
  });

  it('keeps no list that is refused', async () => {
    const issuer = new Issuer();
    const cache = new StatusListCache({
      fetch: () => issueStatusList({ list: issuer.list, uri: `${URI}0`, issuedAtS: START, lifetimeS: 60, ttlS: 60 }, keys.signer), // prettier-ignore
      findKey: () => keys.publicKey,
      now: () => START,
    });
    for (const idx of [7, 8])
      await expect(cache.statusOf({ uri: URI, idx })).rejects.toMatchObject({ reason: 'subject' });
  });

  it('keeps 64 lists, and forgets the one that was fetched longest ago', async () => {
    const issuer = new Issuer();
    for (let nth = 0; nth < 65; nth++) await issuer.statusAt(7, `${URI}/${nth}`);
    await issuer.statusAt(7, `${URI}/64`);
    await issuer.statusAt(7, `${URI}/1`);
    expect(issuer.fetched).toBe(65);
    await issuer.statusAt(7, `${URI}/0`);
    expect(issuer.fetched).toBe(66);
  });
});
