import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive, as the manifest names it. */
export interface ArchivedFile {
  path: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

export type Content = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * A ZIP that is written while it is read: one file after the other, as fast as its reader takes it. What stays in memory is the directory at
 * its end, some hundred bytes per file.
 */
export class Archive {
  /** The bytes of the archive. Destroying it ends the writing. */
  readonly body: Readable;
  private readonly zip = new ZipFile();
  private readonly cut = new AbortController();

  /** `at`: the time that its files bear. `onProgress`: called for each chunk that has left. */
  constructor(
    private readonly at: Date,
    private readonly onProgress: () => void,
    private readonly isReproducible = false,
  ) {
    this.body = this.zip.outputStream as Readable;
    this.body.on('error', () => undefined); // its reader gets the error; before that nobody listens
    this.body.on('close', () => this.cut.abort());
    this.zip.on('error', (error: Error) => this.body.destroy(error));
  }

  /** One whose bytes depend on its files alone: they bear the first time that a ZIP can state. */
  static reproducible(): Archive {
    return new Archive(new Date(1980, 0, 1), () => undefined, true);
  }

  /** Adds a file; answers once its content was taken, and ends it. Throws when the content fails, and when the reader is gone. */
  async add(path: string, content: Content, { compress }: { compress: boolean }): Promise<ArchivedFile> {
    const hash = createHash('sha256');
    let bytes = 0;
    const { onProgress } = this;
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += chunk.length;
        onProgress();
        yield chunk;
      }
    }
    const source = Readable.from(counted(), { objectMode: false });
    try {
      this.cut.signal.throwIfAborted();
      this.zip.addReadStream(source, path, { compress, mtime: this.at, forceDosTimestamp: this.isReproducible });
      await finished(source, { signal: this.cut.signal });
    } finally {
      source.destroy();
      if (content instanceof Readable) content.destroy(); // source has not begun to read it when the reader went before
    }
    return { path, bytes, sha256: hash.digest('hex') };
  }

  /** Ends the archive; answers once its reader has taken all of it. */
  async end(): Promise<void> {
    this.zip.end();
    await finished(this.body, { writable: false });
  }
}
