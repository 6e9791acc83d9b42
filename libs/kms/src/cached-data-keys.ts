import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { DataKeys, EncryptionContext } from './data-keys.ts';

const MOST_KEYS = 5_000;
/** An unwrapped key is in memory for no longer: what a lost word of an erasure may cost. */
const KEPT_MS = 60_000;

/**
 * Unwrapped data keys, kept for a minute at most, so that one piece of work asks KMS once. Concurrent requests for the same key
 * share one call. Code that destroys a wrapped key must call `forget`.
 */
export class CachedDataKeys {
  private readonly keys = new LRUCache<string, { owner: string; key: Promise<Buffer> }>({
    max: MOST_KEYS,
    ttl: KEPT_MS,
  });

  constructor(private readonly dataKeys: Pick<DataKeys, 'unwrap'>) {}

  /** As DataKeys.unwrap. `owner` is what `forget` will name: the id of the subject. */
  unwrap(owner: string, wrapped: Buffer, context: EncryptionContext): Promise<Buffer> {
    const name = createHash('sha256').update(JSON.stringify(context)).update(wrapped).digest('base64');
    const known = this.keys.get(name);
    if (known) return known.key;
    const key = this.dataKeys.unwrap(wrapped, context);
    this.keys.set(name, { owner, key });
    key.catch(() => this.keys.delete(name));
    return key;
  }

  /** Drops the owner's keys from memory, those on their way from KMS too. */
  forget(owner: string): void {
    for (const [name, kept] of this.keys.entries()) if (kept.owner === owner) this.keys.delete(name);
  }

  clear(): void {
    this.keys.clear();
  }
}
