import { deflateSync } from 'node:zlib';
import { createHeaderAndPayload, getListFromStatusListJWT, StatusList as PeerList } from '@sd-jwt/jwt-status-list';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { es256Keys } from '../../../libs/signed-jwt/src/es256-keys.fixture.ts';
import { forgedJwt, hmacJwt, unsignedJwt } from '../../../libs/signed-jwt/src/forged-jwt.fixture.ts';
import { STATUS, StatusList } from './status-list.ts';
import { issueStatusList, verifyStatusList } from './status-list-token.ts';

const NOW = 1_800_000_000;
const URI = 'https://wallet.example/v1/wallet/status-list/1';
const keys = es256Keys();
const HEADER = { alg: 'ES256', typ: 'statuslist+jwt' };

const list = StatusList.ofSize(2, 64);
list.set(7, STATUS.revoked);
list.set(8, STATUS.suspended);
const encoded = await list.encode();
const PAYLOAD = { sub: URI, iat: NOW, exp: NOW + 3_600, ttl: 300, status_list: { ...encoded } };

const issued = () => issueStatusList({ list, uri: URI, issuedAtS: NOW, lifetimeS: 3_600, ttlS: 300 }, keys.signer);
const verify = (token: string, nowS = NOW) =>
  verifyStatusList(token, { uri: URI, findKey: () => keys.publicKey, nowS });
const reasonFor = (token: string, nowS = NOW) =>
  verify(token, nowS).then(
    () => 'accepted',
    (error: { reason?: string }) => error.reason,
  );

describe('a status list token', () => {
  it('says what the notes ask for, and is read as it was written', async () => {
    const token = await issued();
    expect(decodeProtectedHeader(token)).toEqual(HEADER);
    expect(decodeJwt(token)).toEqual(PAYLOAD);
    const verified = await verify(token);
    expect([6, 7, 8, 63].map((index) => verified.statusAt(index))).toEqual([0, 1, 2, 0]);
  });

  it('names where all lists are found, if the issuer has such an address', async () => {
    const aggregationUri = 'https://wallet.example/v1/wallet/status-lists';
    const issue = { list, uri: URI, issuedAtS: NOW, lifetimeS: 3_600, ttlS: 300, aggregationUri };
    expect(decodeJwt(await issueStatusList(issue, keys.signer))).toMatchObject({
      status_list: { aggregation_uri: aggregationUri },
    });
  });

  it('is read by @sd-jwt, and that of @sd-jwt by us', async () => {
    const read = getListFromStatusListJWT(await issued());
    expect([7, 8, 9].map((index) => read.getStatus(index))).toEqual([1, 2, 0]);
    const peer = new PeerList([0, 3, 0, 1], 2);
    const { header, payload } = createHeaderAndPayload(
      peer,
      { iss: 'i', sub: URI, iat: NOW, ttl: 60 },
      {
        alg: 'ES256',
        typ: 'statuslist+jwt',
      },
    );
    const verified = await verify(forgedJwt(header, payload, keys.privateKey));
    expect([0, 1, 2, 3].map((index) => verified.statusAt(index))).toEqual([0, 3, 0, 1]);
  });

  it('may be kept for its ttl, and not beyond its end', async () => {
    const token = await issued();
    expect((await verify(token)).keepUntilS).toBe(NOW + 300);
    expect((await verify(token, NOW + 3_500)).keepUntilS).toBe(NOW + 3_600);
    const { ttl: _, ...withoutTtl } = PAYLOAD;
    expect((await verify(forgedJwt(HEADER, withoutTtl, keys.privateKey))).keepUntilS).toBe(NOW + 3_600);
  });
});

describe('a status list token is refused', () => {
  const signed = (changes: object, header: object = HEADER) =>
    forgedJwt(header, { ...PAYLOAD, ...changes }, keys.privateKey);

  it('with alg none, or HS256 and the public key', async () => {
    expect(await reasonFor(unsignedJwt({ ...HEADER, alg: 'none' }, PAYLOAD))).toBe('algorithm');
    expect(await reasonFor(hmacJwt({ ...HEADER, alg: 'HS256' }, PAYLOAD, keys.publicKey))).toBe('algorithm');
  });

  it('when it is a token of another class', async () => {
    for (const typ of ['JWT', 'at+jwt', 'dc+sd-jwt', 'kb+jwt', 'wallet-session+jwt'])
      expect(await reasonFor(signed({}, { ...HEADER, typ }))).toBe('type');
  });

  it('with the signature of another key', async () => {
    expect(await reasonFor(forgedJwt(HEADER, PAYLOAD, es256Keys().privateKey))).toBe('signature');
  });

  it('when it is about another list', async () => {
    expect(await reasonFor(signed({ sub: `${URI}1` }))).toBe('subject');
    expect(await reasonFor(signed({ sub: undefined }))).toBe('subject');
  });

  it('when it has expired, is of the future, or does not say when it was made', async () => {
    expect(await reasonFor(await issued(), NOW + 3_600)).toBe('expired');
    expect(await reasonFor(signed({ iat: NOW + 61 }))).toBe('issued_at');
    expect(await reasonFor(signed({ iat: undefined }))).toBe('malformed');
  });

  it('with a list that would decompress to 10 MB', async () => {
    const lst = deflateSync(Buffer.alloc(10_485_760), { level: 9 }).toString('base64url');
    expect(await reasonFor(signed({ status_list: { bits: 2, lst } }))).toBe('too_large');
  });

  it('when it is larger than half a megabyte', async () => {
    expect(await reasonFor(signed({ padding: 'x'.repeat(400_000) }))).toBe('too_large');
  });

  it.each([
    { status_list: undefined },
    { status_list: [] },
    { status_list: { bits: 2 } },
    { status_list: { ...encoded, bits: 5 } },
    { ttl: 0 },
    { ttl: '300' },
  ])('with %j', async (changes) => {
    expect(await reasonFor(signed(changes))).toBe('malformed');
  });

  it('for an index that it does not have', async () => {
    const { statusAt } = await verify(await issued());
    for (const index of [64, -1, 1.5])
      expect(() => statusAt(index)).toThrow(expect.objectContaining({ reason: 'index' }));
  });
});
