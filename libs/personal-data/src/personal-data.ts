import { type DataKeys, KmsUnavailable } from '@constancia/kms';
import type { Database, Tx } from '@constancia/persistence';
import { DomainError } from '@constancia/kernel';
import { LRUCache } from 'lru-cache';
import type { SubjectKey } from './subject-key.ts';
import type { TenantKeyRow } from './tenant-key.entity.ts';
import { newIndexKey, TenantKeyring } from './tenant-keyring.ts';

const MOST_TENANTS = 10_000;
/** For how long `isSealedCached` caches the mode while it is compatible. */
const COMPATIBLE_FOR_MS = 1_000;

type TenantKey = Pick<TenantKeyRow, 'wrapped_key' | 'sealed_index_key'>;

export interface PersonalDataOptions {
  /** Of the module: the one that `personalDataSchema` was given. */
  schema: string;
  database: Pick<Database, 'tenant' | 'query'>;
  dataKeys: Pick<DataKeys, 'generate' | 'unwrap'>;
}

/** The key service cannot be asked for a tenant's keys. */
export class KeysUnavailableError extends DomainError {
  readonly code = 'keys_unavailable';

  constructor() {
    super('The key service cannot be reached at present: try again.');
  }
}

/**
 * The keys that a module's personal data is sealed with. KMS wraps a key per tenant, which wraps a key per subject: KMS is asked once
 * for each tenant in the life of a process, and what was unwrapped serves while KMS is unavailable. Subjects' keys are not kept in
 * memory: they are read with the data that they sealed, so that a destroyed one opens nothing from the commit on; what a list or an export
 * reads from a replica, from when that has replayed it (MAX_STALENESS_SECONDS).
 */
export class PersonalData {
  private readonly tenants = new LRUCache<string, Promise<TenantKeyring>>({ max: MOST_TENANTS });
  private sealed = false;
  private compatibleUntil = 0;

  constructor(private readonly options: PersonalDataOptions) {}

  /**
   * A tenant's keys; no round trip once they are known here. Await it before a transaction is opened. Throws KeysUnavailableError
   * while KMS cannot be asked for keys that are not known yet.
   */
  tenant(tenantId: string): Promise<TenantKeyring> {
    const known = this.tenants.get(tenantId);
    if (known) return known;
    const keyring = this.load(tenantId);
    this.tenants.set(tenantId, keyring);
    keyring.catch(() => this.tenants.delete(tenantId));
    return keyring;
  }

  /**
   * Whether personal data is written sealed. No round trip once it is: there is no way back. Else one, in the transaction when there
   * is one; rows that are written in the clear while the answer changes are sealed by the sweep.
   */
  async isSealed(tx?: Tx): Promise<boolean> {
    if (this.sealed) return true;
    const sql = `select mode from ${this.options.schema}.personal_data_mode`;
    const [row] = await (tx ?? this.options.database).query<{ mode: string }>(sql);
    return this.noteMode(row?.mode);
  }

  /** The same from a cache: while the mode is compatible, the answer may be a second old. */
  async isSealedCached(): Promise<boolean> {
    if (this.sealed || Date.now() < this.compatibleUntil) return this.sealed;
    const sealed = await this.isSealed();
    this.compatibleUntil = Date.now() + COMPATIBLE_FOR_MS;
    return sealed;
  }

  /** The same for a caller that has read the mode together with other data. */
  noteMode(mode: string | undefined): boolean {
    if (mode === 'sealed') this.sealed = true;
    return this.sealed;
  }

  /**
   * The key in use for a tenant's reference, made when there is none: one round trip, two for a new one. Of two transactions that
   * begin with a reference at once the second waits for the first, and gets its key.
   */
  async ofRef(tx: Tx, keyring: TenantKeyring, tenantId: string, ref: string): Promise<SubjectKey> {
    for (;;) {
      const [known] = await tx.query<{ id: string; wrapped_key: Buffer }>(
        `select id, wrapped_key from ${this.options.schema}.subject_key
          where tenant_id = $1 and ref = $2 and closed_at is null for share`,
        [tenantId, ref],
      );
      if (known) return keyring.subject(known.id, known.wrapped_key);
      const { key, wrapped } = keyring.newSubject();
      const inserted = await tx.query(
        `insert into ${this.options.schema}.subject_key (tenant_id, id, ref, wrapped_key) values ($1, $2, $3, $4)
         on conflict (tenant_id, ref) where closed_at is null do nothing returning 1`,
        [tenantId, key.id, ref, wrapped],
      );
      if (inserted.length > 0) return key;
    }
  }

  /** For stored answers (libs/idempotency): the bytes of a key in use; null when it was closed or destroyed. */
  async answerKey(tx: Tx | null, tenantId: string, id: string): Promise<Buffer | null> {
    const keyring = await this.tenant(tenantId);
    const sql = `select wrapped_key from ${this.options.schema}.subject_key
      where tenant_id = $1 and id = $2 and closed_at is null`;
    const read = (one: Tx) => one.query<{ wrapped_key: Buffer }>(sql, [tenantId, id]);
    const [row] = tx === null ? await this.options.database.tenant(tenantId, read) : await read(tx);
    return row ? keyring.subject(id, row.wrapped_key).key : null;
  }

  /** Lets a key seal nothing new: the reference gets another one with the next data. */
  async close(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
    await tx.query(
      `update ${this.options.schema}.subject_key set closed_at = coalesce(closed_at, now()) where tenant_id = $1 and id = any ($2)`,
      [tenantId, ids],
    );
  }

  /** Destroys keys: from the commit on nothing that they sealed opens any more, in any process. */
  async destroy(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
    await tx.query(
      `update ${this.options.schema}.subject_key
          set wrapped_key = null, ref = null, closed_at = coalesce(closed_at, now()), destroyed_at = now()
        where tenant_id = $1 and id = any ($2) and destroyed_at is null`,
      [tenantId, ids],
    );
  }

  private async load(tenantId: string): Promise<TenantKeyring> {
    const { schema, dataKeys } = this.options;
    const context = { tenant: tenantId, schema };
    try {
      const row = (await this.read(tenantId)) ?? (await this.create(tenantId, context));
      const key = await dataKeys.unwrap(row.wrapped_key, context);
      return new TenantKeyring({ schema, tenantId, key, sealedIndexKey: row.sealed_index_key });
    } catch (error) {
      throw error instanceof KmsUnavailable ? new KeysUnavailableError() : error;
    }
  }

  private async read(tenantId: string): Promise<TenantKey | undefined> {
    const { schema, database } = this.options;
    const sql = `select wrapped_key, sealed_index_key from ${schema}.tenant_key where tenant_id = $1`;
    const [row] = await database.tenant(tenantId, (tx) => tx.query<TenantKey>(sql, [tenantId]));
    return row;
  }

  /** Of two processes that make a tenant's key at once one is kept, and both use it. */
  private async create(tenantId: string, context: { tenant: string; schema: string }): Promise<TenantKey> {
    const { schema, database, dataKeys } = this.options;
    const { plaintext, wrapped } = await dataKeys.generate(context);
    await database.tenant(tenantId, (tx) =>
      tx.query(
        `insert into ${schema}.tenant_key (tenant_id, wrapped_key, sealed_index_key) values ($1, $2, $3)
         on conflict (tenant_id) do nothing`,
        [tenantId, wrapped, newIndexKey({ schema, tenantId }, plaintext)],
      ),
    );
    return (await this.read(tenantId)) as TenantKey;
  }
}
