import { deflateSync } from 'node:zlib';
import { StatusList as PeerList } from '@sd-jwt/jwt-status-list';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StatusList } from './status-list.ts';
import type { StatusBits } from './status-list.ts';

const refusal = (reason: string): unknown => expect.objectContaining({ reason });
const compressed = (bytes: Buffer) => deflateSync(bytes, { level: 9 }).toString('base64url');

function listOf(bits: StatusBits, statuses: readonly number[]): StatusList {
  const list = StatusList.ofSize(bits, statuses.length);
  for (const [index, status] of statuses.entries()) list.set(index, status);
  return list;
}

const statusesOf = (list: StatusList) => Array.from({ length: list.size }, (_, index) => list.get(index));

/** Bits and statuses that fill whole bytes. */
const lists = fc
  .constantFrom<StatusBits>(1, 2, 4, 8)
  .chain((bits) =>
    fc
      .array(fc.nat(2 ** bits - 1), { minLength: 8, maxLength: 400 })
      .map((statuses) => ({ bits, statuses: statuses.slice(0, statuses.length - (statuses.length % 8)) })),
  );

describe('a status list', () => {
  it('of sixteen statuses of one bit is encoded as in the draft', async () => {
    const list = listOf(1, [1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1]);
    expect(await list.encode()).toEqual({ bits: 1, lst: 'eNrbuRgAAhcBXQ' });
  });

  it('is read as it was written, by this library and by @sd-jwt, written by either', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async ({ bits, statuses }) => {
        const { lst } = await listOf(bits, statuses).encode();
        expect(statusesOf(StatusList.decode({ bits, lst }))).toEqual(statuses);
        const read = PeerList.decompressStatusList(lst, bits);
        expect(statuses.map((_, index) => read.getStatus(index))).toEqual(statuses);
        const peer = new PeerList([...statuses], bits).compressStatusList();
        expect(statusesOf(StatusList.decode({ bits, lst: peer }))).toEqual(statuses);
      }),
      { numRuns: 60 },
    );
  });

  it('of 131,072 statuses, one in a hundred of them revoked, takes less than 4 KB', async () => {
    const list = StatusList.ofSize(2, 131_072);
    for (let index = 0; index < list.size; index += 100) list.set(index, 1);
    expect((await list.encode()).lst.length).toBeLessThan(4_096);
  });

  it('has no status outside of its indexes or bits', () => {
    const list = StatusList.ofSize(2, 16);
    for (const index of [-1, 16, 0.5, NaN]) {
      expect(() => list.get(index)).toThrow(RangeError);
      expect(() => list.set(index, 1)).toThrow(RangeError);
    }
    for (const status of [-1, 4, 0.5]) expect(() => list.set(0, status)).toThrow(RangeError);
    for (const size of [0, 3, -8, 8_388_608]) expect(() => StatusList.ofSize(2, size)).toThrow(RangeError);
  });
});

describe('a received list is refused', () => {
  it('when it would decompress to 10 MB, before it does', () => {
    const lst = compressed(Buffer.alloc(10_485_760));
    expect(lst.length).toBeLessThan(16_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(() => StatusList.decode({ bits: 2, lst })).toThrow(refusal('too_large'));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  });

  it('when it is one byte larger than the caller allows', () => {
    expect(StatusList.decode({ bits: 1, lst: compressed(Buffer.alloc(100)) }, 100).size).toBe(800);
    expect(() => StatusList.decode({ bits: 1, lst: compressed(Buffer.alloc(101)) }, 100)).toThrow(refusal('too_large'));
  });

  it.each([
    ['bits that are none of 1, 2, 4, 8', { bits: 3, lst: compressed(Buffer.alloc(4)) }],
    ['bits that are text', { bits: '2', lst: compressed(Buffer.alloc(4)) }],
    ['no data', { bits: 2, lst: undefined }],
    ['an empty text', { bits: 2, lst: '' }],
    ['data that is no base64url', { bits: 2, lst: `${compressed(Buffer.alloc(4))}=` }],
    ['data that is no zlib data', { bits: 2, lst: Buffer.from('no zlib').toString('base64url') }],
    ['half of its data', { bits: 2, lst: deflateSync(Buffer.alloc(4)).subarray(0, 6).toString('base64url') }],
    ['bytes after its data', { bits: 2, lst: Buffer.concat([deflateSync(Buffer.alloc(4)), Buffer.alloc(1)]).toString('base64url') }], // prettier-ignore
    ['a wrong checksum', { bits: 2, lst: Buffer.concat([deflateSync(Buffer.alloc(4)).subarray(0, -1), Buffer.from([9])]).toString('base64url') }], // prettier-ignore
  ])('with %s', (_, encoded) => {
    expect(() => StatusList.decode(encoded)).toThrow(refusal('malformed'));
  });
});
