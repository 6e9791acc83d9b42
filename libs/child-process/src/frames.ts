/** One message between the pool and a child: a short JSON head and raw bytes. */
export interface Frame {
  head: unknown;
  bytes: Buffer;
}

const LENGTHS = 8;
/** More is no honest message: a template and its pictures, or a damaged template rewritten. */
const MOST_BYTES = 256 * 1024 * 1024;

/** What to write, in order: no copy of the bytes is made. */
export function frameOf(head: unknown, parts: readonly Uint8Array[] = []): Uint8Array[] {
  const text = Buffer.from(JSON.stringify(head));
  const start = Buffer.alloc(LENGTHS);
  start.writeUInt32LE(text.length, 0);
  start.writeUInt32LE(
    parts.reduce((sum, { length }) => sum + length, 0),
    4,
  );
  return [Buffer.concat([start, text]), ...parts];
}

/** Puts chunks of a stream together into frames, each straight into a buffer of its own: a large one is never held twice. */
export class FrameReader {
  /** What is being received: the two lengths, then a head, then bytes. */
  private part = Buffer.alloc(LENGTHS);
  private at = 0;
  private stage: 'lengths' | 'head' | 'bytes' = 'lengths';
  private bytesLength = 0;
  private head: unknown;

  constructor(private readonly received: (frame: Frame) => void) {}

  /** Answers false when what comes is no frame; nothing after it can be read. */
  push(chunk: Buffer): boolean {
    for (let from = 0; ;) {
      const taken = chunk.copy(this.part, this.at, from);
      this.at += taken;
      from += taken;
      if (this.at < this.part.length) return true;
      if (!this.advance()) return false;
    }
  }

  private advance(): boolean {
    const { part } = this;
    switch (this.stage) {
      case 'lengths': {
        const [head, bytes] = [part.readUInt32LE(0), part.readUInt32LE(4)];
        if (head === 0 || head + bytes > MOST_BYTES) return false;
        this.bytesLength = bytes;
        this.receive('head', head);
        return true;
      }
      case 'head':
        try {
          this.head = JSON.parse(part.toString());
        } catch {
          return false;
        }
        this.receive('bytes', this.bytesLength);
        return true;
      case 'bytes': {
        const { head } = this;
        this.receive('lengths', LENGTHS);
        this.received({ head, bytes: part });
        return true;
      }
    }
  }

  private receive(stage: FrameReader['stage'], length: number): void {
    this.stage = stage;
    this.part = Buffer.allocUnsafeSlow(length);
    this.at = 0;
  }
}
