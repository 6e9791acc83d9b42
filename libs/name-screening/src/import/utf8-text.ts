import { ListFileProblem } from './list-file-problem.ts';

const NEWLINE = 0x0a;
const UTF16 = 'The file is UTF-16. Save it as UTF-8 and import it again.';
const LATIN1 =
  'The file is not UTF-8 (it looks like Latin-1 or Windows-1252). Save it as UTF-8, or download it anew, and import it again.';

/**
 * Decodes the pieces of one file as UTF-8, strictly: a list in which letters are lost finds nobody. A byte order mark is
 * dropped. Throws ListFileProblem wrong_encoding (with the line), truncated (the file ends inside a character) or empty.
 */
export class Utf8Text {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private line = 1;
  private started = false;

  constructor(private readonly file: string) {}

  write(chunk: Buffer): string {
    if (!this.started) {
      this.started = true;
      refuseUtf16(chunk, this.file);
    }
    try {
      const text = this.decoder.decode(chunk, { stream: true });
      this.line += newlines(chunk, chunk.length);
      return text;
    } catch {
      throw new ListFileProblem('wrong_encoding', LATIN1, {
        file: this.file,
        line: this.line + newlines(chunk, firstInvalid(chunk)),
      });
    }
  }

  end(): string {
    if (!this.started) {
      throw new ListFileProblem('empty', 'The file is empty. Download it again.', { file: this.file });
    }
    try {
      return this.decoder.decode();
    } catch {
      throw new ListFileProblem('truncated', 'The file ends in the middle of a character. Download it again.', {
        file: this.file,
        line: this.line,
      });
    }
  }
}

function refuseUtf16(start: Buffer, file: string): void {
  const [first, second] = start;
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Every other byte of Latin letters in UTF-16 is zero; no list holds a zero byte.
  if (marked || start.subarray(0, 64).includes(0))
    throw new ListFileProblem('wrong_encoding', UTF16, { file, line: 1 });
}

function newlines(chunk: Buffer, end: number): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1 && at < end; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** Where in the chunk the first byte stands that is not UTF-8, give or take a character; only for the line of the message. */
function firstInvalid(chunk: Buffer): number {
  const replaced = chunk.toString('utf8');
  const at = replaced.indexOf('\ufffd');
  return at === -1 ? chunk.length : Buffer.byteLength(replaced.slice(0, at));
}
