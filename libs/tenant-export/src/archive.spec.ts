import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { Archive } from './archive.ts';
import { readArchive } from './read-archive.fixture.ts';

const AT = new Date('2026-11-26T04:00:00Z');
const archive = () => new Archive(AT, () => undefined);

describe('an archive', () => {
  it('is read by others as it was written, with the size and digest of every file', async () => {
    const made = archive();
    const reading = buffer(made.body);
    const files = [
      {
        ...(await made.add('a.ndjson', [Buffer.from('{"a":1}\n'), Buffer.from('{"ñ":2}\n')], { compress: true })),
        rows: 2,
      },
      await made.add('documents/b.pdf', [Buffer.from('%PDF')], { compress: false }),
      { ...(await made.add('empty.ndjson', [], { compress: true })), rows: 0 },
    ];
    await made.add('manifest.json', [Buffer.from(JSON.stringify({ files }))], { compress: true });
    await made.end();
    const { lines } = await readArchive(await reading);
    expect(lines('a')).toEqual([{ a: 1 }, { ñ: 2 }]);
  });

  it('takes no more than its reader does', async () => {
    const made = archive();
    let taken = 0;
    function* endless() {
      for (;;) {
        taken++;
        yield Buffer.alloc(64 * 1024, taken);
      }
    }
    const adding = made.add('endless', endless(), { compress: false });
    await expect.poll(() => made.body.readableLength).toBeGreaterThan(0);
    expect(taken).toBeLessThan(40);
    made.body.destroy();
    await expect(adding).rejects.toThrow(/abort/i);
  });

  it('ends its content when the reader goes, and refuses more', async () => {
    const made = archive();
    let isEnded = false;
    async function* waiting() {
      try {
        for (;;) {
          yield Buffer.alloc(1024);
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        isEnded = true;
      }
    }
    const adding = made.add('x', waiting(), { compress: false });
    made.body.resume();
    setImmediate(() => made.body.destroy());
    await expect(adding).rejects.toThrow();
    await expect.poll(() => isEnded).toBe(true);
    await expect(made.add('y', [], { compress: false })).rejects.toThrow(/abort/i);
  });

  it('ends a stream that it is given after the reader has gone', async () => {
    const made = archive();
    made.body.destroy();
    await expect.poll(() => made.body.closed).toBe(true);
    const content = Readable.from([Buffer.from('x')]);
    await expect(made.add('x', content, { compress: false })).rejects.toThrow(/abort/i);
    expect(content.destroyed).toBe(true);
  });

  it('fails with its content', async () => {
    const made = archive();
    made.body.resume();
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('x');
      throw new Error('the store is gone');
    }
    await expect(made.add('x', broken(), { compress: true })).rejects.toThrow('the store is gone');
  });
});
