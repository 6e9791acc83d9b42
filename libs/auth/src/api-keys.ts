import { timingSafeEqual } from 'node:crypto';
import type { Environment } from '@constancia/contracts';
import type { Authenticator, Tenant } from '@constancia/http';
import type { Database } from '@constancia/persistence';
import { LRUCache } from 'lru-cache';
import { hashSecret, parseApiKey } from './secrets.ts';

/** The channel on which a changed key is announced; the payload is the hex SHA-256 of the key. */
const API_KEY_CHANGED = 'api_key_changed';

const FOUND_TTL_MS = 5_000;
const MISSING_TTL_MS = 1_000;
const MAX_FOUND = 20_000;
const MAX_MISSING = 20_000;

interface KeyRow {
  key_id: string;
  tenant_id: string;
  key_hash: Buffer;
  key_prefix: string;
  slug: string;
  display_name: string;
  plan: string;
  environment: Environment;
  expires_at: Date | null;
}

interface Found {
  tenant: Tenant;
  /** When a rotated key's grace ends, epoch milliseconds. */
  expiresAtMs: number;
}

/** A look-up under way. `outdated`: the key changed meanwhile, so what is being read may be the state before. */
interface LookUp {
  outdated: boolean;
  result: Promise<Found | null>;
}

/** What is used of the store. */
export type KeyStore = Pick<Database, 'query' | 'listen'>;

/**
 * Tenants by API key, from the memory of this process where possible: a valid key is remembered for 5 s, an unknown one for
 * 1 s, counted from the moment the store was asked; concurrent requests with one key share one look-up. A NOTIFY on
 * `api_key_changed` forgets a key at once, so a revoked key is refused within 1 s, and within 5 s while no NOTIFY arrives.
 */
export class ApiKeys implements Authenticator {
  private readonly found = new LRUCache<string, Found>({ max: MAX_FOUND, ttl: FOUND_TTL_MS, ttlResolution: 0 });
  private readonly missing = new LRUCache<string, true>({ max: MAX_MISSING, ttl: MISSING_TTL_MS, ttlResolution: 0 });
  private readonly lookUps = new Map<string, LookUp>();
  private subscription: { close(): Promise<void> } | undefined;

  constructor(
    private readonly database: KeyStore,
    private readonly options: { environment: Environment },
  ) {}

  /** Begins to listen for changed keys. Does not fail while the store is unavailable. */
  async start(): Promise<void> {
    this.subscription = await this.database.listen(API_KEY_CHANGED, (hash) => this.forget(hash));
  }

  async close(): Promise<void> {
    await this.subscription?.close();
  }

  cached(plaintext: string): Tenant | undefined {
    const hash = this.hashOf(plaintext);
    return hash && this.remembered(hash.toString('hex'));
  }

  /** As Authenticator.resolve: null without asking the store for a key that is malformed or of the other environment. */
  async resolve(plaintext: string): Promise<Tenant | null> {
    const hash = this.hashOf(plaintext);
    if (!hash) return null;
    const id = hash.toString('hex');
    const tenant = this.remembered(id);
    if (tenant) return tenant;
    if (this.missing.get(id)) return null;
    const lookUp = this.lookUps.get(id) ?? this.lookUp(id, hash);
    return valid(await lookUp.result);
  }

  /** Forgets a key: the next request asks the store. */
  forget(hashHex: string): void {
    this.found.delete(hashHex);
    this.missing.delete(hashHex);
    const lookUp = this.lookUps.get(hashHex);
    if (lookUp) lookUp.outdated = true;
  }

  private hashOf(plaintext: string): Buffer | undefined {
    return parseApiKey(plaintext)?.environment === this.options.environment ? hashSecret(plaintext) : undefined;
  }

  private remembered(id: string): Tenant | undefined {
    return valid(this.found.get(id)) ?? undefined;
  }

  private lookUp(id: string, hash: Buffer): LookUp {
    const lookUp: LookUp = { outdated: false, result: Promise.resolve(null) };
    lookUp.result = this.ask(id, hash, lookUp).finally(() => this.lookUps.delete(id));
    this.lookUps.set(id, lookUp);
    return lookUp;
  }

  private async ask(id: string, hash: Buffer, lookUp: LookUp): Promise<Found | null> {
    for (;;) {
      lookUp.outdated = false;
      const start = performance.now();
      const rows = await this.database.query<KeyRow>('select * from platform_v1.resolve_api_key($1)', [hash]);
      if (lookUp.outdated) continue;
      const found = rows.map((row) => this.foundIn(row, hash)).find((one) => one !== null) ?? null;
      if (found) this.found.set(id, found, { start });
      else this.missing.set(id, true, { start });
      return found;
    }
  }

  private foundIn(row: KeyRow, hash: Buffer): Found | null {
    if (row.environment !== this.options.environment) return null;
    if (row.key_hash.length !== hash.length || !timingSafeEqual(row.key_hash, hash)) return null;
    return {
      tenant: {
        id: row.tenant_id,
        keyId: row.key_id,
        keyPrefix: row.key_prefix,
        slug: row.slug,
        displayName: row.display_name,
        plan: row.plan,
        environment: row.environment,
      },
      expiresAtMs: row.expires_at?.getTime() ?? Infinity,
    };
  }
}

function valid(found: Found | null | undefined): Tenant | null {
  return found && Date.now() < found.expiresAtMs ? found.tenant : null;
}
