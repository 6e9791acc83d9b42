import type { Readable } from 'node:stream';

/**
 * Keeps whole objects by key. A key is 1 to 512 characters: segments of letters, digits, `.`, `_`, `-` (none begins with a
 * dot), joined by `/`. Every method throws StorageUnavailable when the store is unavailable.
 */
export abstract class ObjectStore {
  /** Stores the bytes under the key, whole or not at all; durable when it resolves. The same key again replaces it. */
  abstract put(key: string, bytes: Buffer | Readable, options: { contentType: string }): Promise<void>;
  /** The whole object. Throws ObjectMissing. */
  abstract get(key: string): Promise<Buffer>;
  /** The object as a stream, with its size in bytes. Throws ObjectMissing. */
  abstract stream(key: string): Promise<{ body: Readable; size: number }>;
  /** Removes the object; without harm when there is none. */
  abstract delete(key: string): Promise<void>;
  /** Resolves when the store answers. */
  abstract ping(): Promise<void>;
  abstract close(): Promise<void>;
}

/** There is no object under this key. */
export class ObjectMissing extends Error {
  constructor(readonly key: string) {
    super(`there is no object ${key}`);
    this.name = 'ObjectMissing';
  }
}

/** The store cannot be reached or refuses to work at present; the same call may succeed later. */
export class StorageUnavailable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`the object store is unavailable: ${reason}`, options);
    this.name = 'StorageUnavailable';
  }
}

const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Returns the key, or throws when it is malformed: a key never leaves the store's own folder. */
export function validKey(key: string): string {
  if (key.length > 512 || !KEY.test(key)) throw new Error(`malformed object key: ${JSON.stringify(key)}`);
  return key;
}
