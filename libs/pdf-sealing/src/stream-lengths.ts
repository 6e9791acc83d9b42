/** A stream's dictionary stands within this many bytes before its content, or its length is not looked up. */
const DICTIONARY_BYTES = 4_096;

/** Bounded quantifiers: a file of nothing but digits must not make this quadratic. */
const LENGTH_OBJECT = /(?<!\d)(\d{1,10})[\s\0]{1,8}(\d{1,5})[\s\0]{1,8}obj[\s\0]{0,8}(\d{1,10})[\s\0]{1,8}endobj/g;
const LENGTH_ENTRY = /\/Length[\s\0]{1,8}(\d{1,10})[\s\0]{1,8}(\d{1,5})[\s\0]{1,8}R(?![A-Za-z])/g;
const END = Buffer.from('endstream');
const LF = 10;
const CR = 13;

/**
 * Finds where a stream ends when its dictionary names the length by reference (`/Length 5 0 R`) or states a wrong one: by
 * that object where it can be found and fits, else at the first `endstream`. Works on the raw file.
 */
export class StreamLengths {
  private objects: Map<string, number> | undefined;

  constructor(private readonly pdf: Buffer) {}

  /** Whether these bytes are the file itself (and not an inflated object stream). */
  covers(bytes: Uint8Array): boolean {
    return bytes.buffer === this.pdf.buffer && bytes.byteOffset === this.pdf.byteOffset;
  }

  /** End of the content that starts at `start`, and the offset after `endstream`; undefined when the file has no end for it. */
  endOfStream(start: number): { content: number; after: number } | undefined {
    const stated = this.statedLength(start);
    if (stated !== undefined) {
      const at = this.pdf.indexOf(END, start + stated);
      if (at >= 0 && at - (start + stated) <= 2) return { content: start + stated, after: at + END.length };
    }
    const at = this.pdf.indexOf(END, start);
    if (at < 0) return undefined;
    return { content: withoutLineEnd(this.pdf, start, at), after: at + END.length };
  }

  private statedLength(start: number): number | undefined {
    const before = this.pdf.toString('latin1', Math.max(0, start - DICTIONARY_BYTES), start);
    const dictionary = before.slice(Math.max(0, before.lastIndexOf(' obj')));
    const entry = [...dictionary.matchAll(LENGTH_ENTRY)].at(-1);
    return entry && this.lengthObjects().get(`${Number(entry[1])} ${Number(entry[2])}`);
  }

  /** Every integer object of the file; a later revision's wins, as in the file's own order. */
  private lengthObjects(): Map<string, number> {
    if (this.objects) return this.objects;
    this.objects = new Map();
    for (const [, number, generation, value] of this.pdf.toString('latin1').matchAll(LENGTH_OBJECT))
      this.objects.set(`${Number(number)} ${Number(generation)}`, Number(value));
    return this.objects;
  }
}

function withoutLineEnd(pdf: Buffer, start: number, end: number): number {
  let at = end;
  if (at > start && pdf[at - 1] === LF) at--;
  if (at > start && pdf[at - 1] === CR) at--;
  return at;
}
