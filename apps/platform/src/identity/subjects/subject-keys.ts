import { subjectKeyContext, SUBJECT_ERASED } from '@constancia/contracts';
import { CachedDataKeys, type DataKey, DataKeys } from '@constancia/kms';
import type { Tx } from '@constancia/persistence';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { keyServiceUnavailable } from '../key-service.ts';
import { Subject } from './subject.entity.ts';

/** What a transaction remembers: one that reads every subject of a tenant holds no more. */
const REMEMBERED = 1_000;

/**
 * The data key of each subject: made when the subject is, kept only as KMS wrapped it, in the subject's row. Whether it still
 * exists is read from the row in every transaction that uses it, so that none which begins after an erasure opens anything of that
 * subject; the unwrapped key, kept for a minute to spare KMS, is dropped when the erasure is announced.
 */
@Injectable()
export class SubjectKeys implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly cached: CachedDataKeys;
  /** What transactions have read, by subject: one that opens several things reads the row once. */
  private readonly read = new WeakMap<Tx, Map<string, Buffer | null>>();
  private listening: { close(): Promise<void> } | undefined;

  constructor(
    private readonly database: IdentityDatabase,
    private readonly dataKeys: DataKeys,
  ) {
    this.cached = new CachedDataKeys(dataKeys);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.listening = await this.database.listen(SUBJECT_ERASED, (subjectId) => this.cached.forget(subjectId));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.listening?.close();
    this.cached.clear();
  }

  /** A key for a new subject. Throws DependencyUnavailable while KMS is unavailable. */
  create(tenantId: string, subjectId: string): Promise<DataKey> {
    return this.dataKeys.generate(subjectKeyContext(tenantId, subjectId)).catch(keyServiceUnavailable);
  }

  /** The subject's key; null when it was destroyed, or when the tenant has no such subject. Throws DependencyUnavailable. */
  async of(tx: Tx, tenantId: string, subjectId: string): Promise<Buffer | null> {
    const known = this.read.get(tx)?.get(subjectId);
    const wrapped = known === undefined ? await this.wrappedOf(tx, tenantId, subjectId) : known;
    return wrapped && this.unwrap(tenantId, subjectId, wrapped);
  }

  /** A row of the tenant's subject was read in this transaction: its key need not be read again. */
  seen(tx: Tx, { id, wrapped_key }: Pick<Subject, 'id' | 'wrapped_key'>): void {
    const known = this.read.get(tx) ?? new Map<string, Buffer | null>();
    if (known.size >= REMEMBERED) known.clear(); // what is forgotten is read from its row again
    this.read.set(tx, known.set(id, wrapped_key));
  }

  unwrap(tenantId: string, subjectId: string, wrapped: Buffer): Promise<Buffer> {
    return this.cached.unwrap(subjectId, wrapped, subjectKeyContext(tenantId, subjectId)).catch(keyServiceUnavailable);
  }

  /** Destroys the key in the transaction, and informs every process once that is committed. What it sealed opens no more. */
  async destroyed(tx: Tx, subjectId: string): Promise<void> {
    this.seen(tx, { id: subjectId, wrapped_key: null });
    await tx.query(`select pg_notify($1, $2)`, [SUBJECT_ERASED, subjectId]);
    this.cached.forget(subjectId);
  }

  private async wrappedOf(tx: Tx, tenantId: string, subjectId: string): Promise<Buffer | null> {
    const row = await tx.manager.findOneBy(Subject, { id: subjectId, tenant_id: tenantId });
    const wrapped = row?.wrapped_key ?? null;
    this.seen(tx, { id: subjectId, wrapped_key: wrapped });
    return wrapped;
  }
}
