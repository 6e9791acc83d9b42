import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/**
 * Lines `from` to `from + count` of JSON lines that are stored as gzip, in pieces. A published list is large: it is read and unpacked
 * as a stream, and no further than asked for.
 */
export async function linesOf(
  pieces: AsyncIterable<Buffer>,
  { from, count }: { from: number; count: number },
): Promise<unknown[]> {
  const source = Readable.from(pieces);
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
  const lines: unknown[] = [];
  let nth = 0;
  try {
    for await (const line of createInterface({ input: unpacked, crlfDelay: Infinity })) {
      if (nth++ < from) continue;
      lines.push(JSON.parse(line));
      if (lines.length === count) break;
    }
  } finally {
    source.destroy();
    unpacked.destroy();
  }
  return lines;
}
