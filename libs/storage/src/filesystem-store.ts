import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { ObjectMissing, StorageUnavailable, validKey } from './object-store.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * Objects as files of one folder (mode 0700, files 0600). No key may be the folder of another (`a` and `a/b`). A put writes a temporary file, syncs it, renames it into place and
 * syncs the folder, so that a reader sees the old bytes or the new ones, also after a power cut.
 */
export class FilesystemStore implements ObjectStore {
  private readonly dir: string;
  private readonly incoming: string;
  /** Something was in the folder's place: when nothing is, it was taken away (unmounted), and its objects are not lost. */
  private seen = false;

  constructor(options: { dir: string }) {
    this.dir = path.resolve(options.dir);
    this.incoming = path.join(this.dir, '.incoming'); // same file system, so that rename is atomic
  }

  async put(key: string, bytes: Buffer | Readable, _options: { contentType: string }): Promise<void> {
    const target = this.path(key);
    const temporary = path.join(this.incoming, randomBytes(16).toString('hex'));
    try {
      await fs.promises.mkdir(this.incoming, { recursive: true, mode: 0o700 });
      await writeSynced(temporary, bytes);
      await makeFolder(this.dir, path.dirname(target));
      await fs.promises.rename(temporary, target);
      await syncFolder(path.dirname(target));
      this.seen = true;
    } catch (error) {
      await fs.promises.rm(temporary, { force: true }).catch(() => undefined);
      throw unavailable(error);
    }
  }

  async get(key: string): Promise<Buffer> {
    try {
      return await fs.promises.readFile(this.path(key));
    } catch (error) {
      throw await this.readError(error, key);
    }
  }

  async stream(key: string): Promise<{ body: Readable; size: number }> {
    try {
      const file = await fs.promises.open(this.path(key), 'r');
      const found = await file.stat();
      if (found.isFile()) return { body: file.createReadStream(), size: found.size };
      await file.close();
    } catch (error) {
      throw await this.readError(error, key);
    }
    throw new ObjectMissing(key); // a folder
  }

  async delete(key: string): Promise<void> {
    const target = this.path(key);
    try {
      await fs.promises.unlink(target);
      await syncFolder(path.dirname(target));
    } catch (error) {
      const known = await this.readError(error, key);
      if (!(known instanceof ObjectMissing)) throw known;
    }
  }

  async ping(): Promise<void> {
    try {
      await fs.promises.mkdir(this.dir, { recursive: true, mode: 0o700 });
      await fs.promises.access(this.dir, fs.constants.R_OK | fs.constants.W_OK);
      this.seen = true;
    } catch (error) {
      throw unavailable(error);
    }
  }

  async close(): Promise<void> {}

  /** A missing file is a missing object, as long as the store's own folder can be looked into, or was never there. */
  private async readError(error: unknown, key: string): Promise<unknown> {
    if (!['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error) ?? '')) return unavailable(error);
    try {
      await fs.promises.access(`${this.dir}/.`); // the dot: a file in the folder's place is no folder
      this.seen = true;
      return new ObjectMissing(key);
    } catch (rootError) {
      if (codeOf(rootError) === 'ENOENT' && !this.seen) return new ObjectMissing(key);
      this.seen = true;
      return unavailable(rootError);
    }
  }

  private path(key: string): string {
    return path.join(this.dir, ...validKey(key).split('/'));
  }
}

async function writeSynced(file: string, bytes: Buffer | Readable): Promise<void> {
  const handle = await fs.promises.open(file, 'wx', 0o600);
  try {
    await fs.promises.writeFile(handle, bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the folders that are missing between root and folder, each synced into its parent. */
async function makeFolder(root: string, folder: string): Promise<void> {
  const made = await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
  if (made === undefined) return;
  for (let current = folder; current.startsWith(root); current = path.dirname(current)) {
    await syncFolder(path.dirname(current));
    if (current === made || current === path.dirname(current)) return;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.promises.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

/** Every system error (full, read-only, broken disk) may pass; anything else is the caller's own stream failing. */
function unavailable(error: unknown): unknown {
  return typeof (error as NodeJS.ErrnoException).errno === 'number'
    ? new StorageUnavailable(codeOf(error) ?? 'unknown', { cause: error })
    : error;
}
