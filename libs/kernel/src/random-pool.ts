import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(4096);
let offset = pool.length;

/** Random bytes for ids and nonces, drawn 4 KiB at a time: asking for each alone costs 20 times as much. Keys do not lie in a pool. */
export function randomFromPool(bytes: number): Buffer {
  if (offset + bytes > pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  return Buffer.from(pool.subarray(offset, (offset += bytes)));
}
