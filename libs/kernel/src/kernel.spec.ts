import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { Coalescer } from './coalescer.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { isUuid, typeId, uuidFloor, uuidOf, uuidTime, uuidv7 } from './ids.ts';
import { SecretBox } from './secret-box.ts';

describe('ids', () => {
  it('makes UUIDv7 ids that are unique, ordered within a process and carry their time', () => {
    const before = Date.now();
    const ids = Array.from({ length: 20_000 }, () => uuidv7());
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
    expect(ids.every((id) => isUuid(id) && id[14] === '7' && '89ab'.includes(id[19] as string))).toBe(true);
    expect(uuidTime(ids[0] as string).getTime()).toBeGreaterThanOrEqual(before);
  });

  it('stays in order while the clock goes back a little, and follows it after a jump that was wrong', () => {
    const now = Date.now();
    const first = uuidv7(now + 3_600_000);
    const second = uuidv7(now + 3_595_000);
    expect(second > first).toBe(true);
    expect(uuidTime(second).getTime()).toBe(now + 3_600_000);
    const followed = [uuidv7(now), uuidv7(now)];
    expect(followed.map((id) => uuidTime(id).getTime())).toEqual([now, now]);
    expect((followed[0] as string) < (followed[1] as string)).toBe(true);
  });

  it('writes and reads the TypeID of the specification', () => {
    const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
    expect(typeId('tpl', uuid)).toBe('tpl_01h455vb4pex5vsknk084sn02q');
    expect(uuidOf('tpl', 'tpl_01h455vb4pex5vsknk084sn02q')).toBe(uuid);
  });

  it('reads no TypeID of another prefix, of a wrong alphabet, too large or in upper case', () => {
    for (const id of [
      'sig_01h455vb4pex5vsknk084sn02q',
      'tpl_81h455vb4pex5vsknk084sn02q',
      'tpl_01H455VB4PEX5VSKNK084SN02Q',
      'tpl_',
      'tpl_01h455vb4pex5vsknk084sn02',
      'tpl_il h455vb4pex5vsknk084sn02',
    ]) {
      expect(uuidOf('tpl', id)).toBeNull();
    }
  });

  it('round-trips every UUID', () => {
    fc.assert(fc.property(fc.uuid(), (uuid) => uuidOf('sig', typeId('sig', uuid)) === uuid));
  });

  it('bounds a time range of ids', () => {
    const floor = uuidFloor(new Date(1_700_000_000_000));
    expect(uuidTime(floor).getTime()).toBe(1_700_000_000_000);
  });
});

describe('canonical JSON', () => {
  it('follows the example of RFC 8785', () => {
    const value = {
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 1e-27],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('does not depend on member order and parses back to the same value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const wellFormed = JSON.stringify(value).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(value));
        fc.pre(wellFormed);
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('cursor', () => {
  it('reads back what it wrote and nothing else', () => {
    expect(decodeCursor(encodeCursor(['a', 1]), 2)).toEqual(['a', 1]);
    for (const cursor of [
      '',
      'x',
      encodeCursor(['a']),
      Buffer.from('{"a":1}').toString('base64url'),
      'é'.repeat(3),
      'a'.repeat(600),
    ]) {
      expect(decodeCursor(cursor, 2)).toBeNull();
    }
  });
});

describe('SecretBox', () => {
  const first = Buffer.alloc(32, 1);
  const second = Buffer.alloc(32, 2);

  it('opens what it sealed, under the same context only', () => {
    const box = new SecretBox([first]);
    const sealed = box.seal('whsec_x', 'a');
    expect(sealed.includes('whsec_x')).toBe(false);
    expect(box.open(sealed, 'a').toString()).toBe('whsec_x');
    expect(() => box.open(sealed, 'b')).toThrow();
  });

  it('opens values of the former key after a rotation, and none of an unknown key', () => {
    const sealed = new SecretBox([first]).seal('old', 'c');
    expect(new SecretBox([second, first]).open(sealed, 'c').toString()).toBe('old');
    expect(() => new SecretBox([second]).open(sealed, 'c')).toThrow('sealed with a key');
  });

  it('refuses altered bytes at every position', () => {
    const box = new SecretBox([first]);
    const sealed = box.seal('value', 'c');
    for (let i = 0; i < sealed.length; i++) {
      const altered = Buffer.from(sealed);
      altered[i] = (altered[i] as number) ^ 1;
      expect(() => box.open(altered, 'c')).toThrow();
    }
  });
});

describe('Coalescer', () => {
  it('gives each caller its own result and shares a batch while one is under way', async () => {
    const batches: number[] = [];
    const coalescer = new Coalescer<number, number>(
      async (items) => {
        batches.push(items.length);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return items.map((item) => item * 2);
      },
      { maxBatch: 50 },
    );
    const results = await Promise.all(Array.from({ length: 120 }, (_, item) => coalescer.submit(item)));
    expect(results).toEqual(Array.from({ length: 120 }, (_, item) => item * 2));
    expect(batches).toEqual([50, 50, 20]);
  });

  it('puts all callers whom a batch lets go on into the next one, none of them alone', async () => {
    const batches: number[] = [];
    const coalescer = new Coalescer<number, number>(
      async (items) => {
        batches.push(items.length);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return items;
      },
      { maxBatch: 50, maxConcurrent: 2 },
    );
    const caller = async (): Promise<void> => {
      for (let nth = 0; nth < 5; nth++) await coalescer.submit(nth);
    };
    await Promise.all(Array.from({ length: 8 }, caller));
    expect(batches).toEqual([8, 8, 8, 8, 8]);
    batches.length = 0;
    await Promise.all(Array.from({ length: 60 }, (_, item) => coalescer.submit(item)));
    expect(batches).toEqual([30, 30]); // many: two batches are under way
  });

  it('fills a batch up to its weight, and sends what is heavier alone', async () => {
    const batches: number[][] = [];
    const coalescer = new Coalescer<number, number>(
      async (items) => {
        batches.push(items);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return items;
      },
      { maxBatch: 3, weight: (item) => item, maxWeight: 10 },
    );
    await Promise.all([1, 4, 6, 1, 30, 2, 2, 2, 2].map((item) => coalescer.submit(item)));
    expect(batches).toEqual([[1, 4], [6, 1], [30], [2, 2, 2], [2]]);
  });

  it('rejects the callers of a failed batch and goes on', async () => {
    let fail = true;
    const coalescer = new Coalescer<number, number>(
      async (items) => {
        if (fail) throw new Error('down');
        return items;
      },
      { maxBatch: 10 },
    );
    await expect(coalescer.submit(1)).rejects.toThrow('down');
    fail = false;
    await expect(coalescer.submit(2)).resolves.toBe(2);
  });
});
