import fs from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ListCode } from '@constancia/reference-data';
import { PayloadTooLarge } from '@constancia/problem-json';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** Five times the largest list that is published. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** The files that operators laid down in this process, by list, until they are imported. They go with the process. */
@Injectable()
export class LaidDownFiles implements OnApplicationShutdown {
  private folder: Promise<string> | undefined;

  /** The size of the file in bytes. Throws PayloadTooLarge. */
  async keep(list: ListCode, name: string, body: Readable): Promise<number> {
    const file = path.join(await this.folderOf(list), name);
    try {
      await pipeline(body, noMoreThan(MAX_FILE_BYTES), createWriteStream(file, { mode: 0o600 }));
    } catch (error) {
      await fs.rm(file, { force: true });
      throw error;
    }
    return (await fs.stat(file)).size;
  }

  /** Their paths, in the order of their names. */
  async of(list: ListCode): Promise<string[]> {
    const folder = await this.folderOf(list);
    return (await fs.readdir(folder)).sort().map((name) => path.join(folder, name));
  }

  async forget(list: ListCode): Promise<void> {
    await fs.rm(await this.folderOf(list), { recursive: true, force: true });
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.folder) await fs.rm(await this.folder, { recursive: true, force: true });
  }

  private async folderOf(list: ListCode): Promise<string> {
    this.folder ??= fs.mkdtemp(path.join(os.tmpdir(), 'constancia-lists-'));
    const folder = path.join(await this.folder, list);
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }
}

function noMoreThan(most: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes > most) done(new PayloadTooLarge(`A file has at most ${most} bytes.`));
      else done(null, chunk);
    },
  });
}
