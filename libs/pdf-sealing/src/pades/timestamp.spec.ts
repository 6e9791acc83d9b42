import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedSignatures } from './embedded-signatures.ts';
import { preparedSeal, testKey, testSealer } from './prepared-seal.fixture.ts';
import { type Sealer, seal, signatureRoom } from './seal.ts';
import { timestampHolds, timestampRequest, timestampToken } from './timestamp.ts';
import { localTimestampAuthority, type LocalTimestampAuthority } from './timestamp-authority.fixture.ts';

const opensslThere = spawnSync('openssl', ['version']).error === undefined;

describe.skipIf(!opensslThere)('a time-stamp of an authority (openssl ts)', () => {
  let authority: LocalTimestampAuthority;
  let sealer: Sealer;
  const digest = createHash('sha256').update('a signature').digest();

  beforeAll(async () => {
    authority = await localTimestampAuthority();
    sealer = await testSealer(testKey());
  }, 30_000);
  afterAll(() => authority.close());

  const timestamp = async (over: Buffer) => {
    const request = timestampRequest(over);
    return timestampToken(await authority.reply(request.der), over, request);
  };

  it('is a token that holds over its digest and no other', async () => {
    const token = await timestamp(digest);
    expect(timestampHolds(token, digest)).toBe(true);
    expect(timestampHolds(token, randomBytes(32))).toBe(false);
    for (let at = 0; at < token.length; at += 97) {
      const changed = Buffer.from(token);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => timestampHolds(changed, digest)).not.toThrow();
    }
  });

  it('is refused over another digest, with another nonce, as a refusal, or as no answer at all', async () => {
    const request = timestampRequest(digest);
    const answer = await authority.reply(request.der);
    expect(() => timestampToken(answer, randomBytes(32), request)).toThrow('another digest');
    expect(() => timestampToken(answer, digest, timestampRequest(digest))).toThrow('another nonce');
    expect(() => timestampToken(Buffer.from('<html>'), digest, request)).toThrow('no TimeStampResp');
    const rejection = Buffer.from('30053003020102', 'hex');
    expect(() => timestampToken(rejection, digest, request)).toThrow('status 2');
    const spoilt = Buffer.from(answer);
    spoilt[spoilt.length - 5] = (spoilt.at(-5) as number) ^ 1;
    expect(() => timestampToken(spoilt, digest, request)).toThrow('signature of the token does not hold');
  });

  it('makes a signature of level B-T, within its room', async () => {
    const pdf = await seal(preparedSeal(signatureRoom(sealer, true)), { ...sealer, timestamp });
    expect(embeddedSignatures(pdf)).toEqual([expect.objectContaining({ valid: true, level: 'B-T' })]);
  });

  it('over another signature makes the seal invalid', async () => {
    const pdf = await seal(preparedSeal(signatureRoom(sealer, true)), {
      ...sealer,
      timestamp: () => timestamp(digest),
    });
    expect(embeddedSignatures(pdf)).toEqual([expect.objectContaining({ valid: false, level: 'B-T' })]);
  });
});
