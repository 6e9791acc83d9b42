/** One message between the pool and a child: a short JSON head and raw bytes. */
export interface Frame {
  head: unknown;
  bytes: Buffer;
}

const LENGTHS = 8;

/** What to write, in order: no copy of the bytes is made. */
export function frameOf(head: unknown, bytes: Uint8Array = Buffer.alloc(0)): [Buffer, Uint8Array] {
  const text = Buffer.from(JSON.stringify(head));
  const start = Buffer.alloc(LENGTHS);
  start.writeUInt32LE(text.length, 0);
  start.writeUInt32LE(bytes.length, 4);
  return [Buffer.concat([start, text]), bytes];
}

/** Puts chunks of a stream together into frames. */
export class FrameReader {
  private chunks: Buffer[] = [];
  private held = 0;

  constructor(private readonly received: (frame: Frame) => void) {}

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.held += chunk.length;
    for (let frame = this.next(); frame; frame = this.next()) this.received(frame);
  }

  private next(): Frame | undefined {
    if (this.held < LENGTHS) return undefined;
    const start = this.first(LENGTHS);
    const [head, body] = [start.readUInt32LE(0), start.readUInt32LE(4)];
    if (this.held < LENGTHS + head + body) return undefined;
    const all = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks);
    const end = LENGTHS + head + body;
    this.chunks = all.length > end ? [all.subarray(end)] : [];
    this.held = all.length - end;
    return {
      head: JSON.parse(all.toString('utf8', LENGTHS, LENGTHS + head)),
      bytes: all.subarray(LENGTHS + head, end),
    };
  }

  /** The first bytes, put together from as few chunks as needed. */
  private first(length: number): Buffer {
    while ((this.chunks[0] as Buffer).length < length) {
      const [one, two, ...rest] = this.chunks as [Buffer, Buffer, ...Buffer[]];
      this.chunks = [Buffer.concat([one, two]), ...rest];
    }
    return this.chunks[0] as Buffer;
  }
}
