import { subjectKeyContext, SUBJECT_ERASED } from '@constancia/contracts';
import { CachedDataKeys, type DataKey, type DataKeys, KmsUnavailable } from '@constancia/kms';
import type { Database, Tx } from '@constancia/persistence';
import { DependencyUnavailable } from '@constancia/problem-json';

/**
 * The data key of each subject: made when the subject is, kept only as KMS wrapped it, in the subject's row. Whether it still
 * exists is read from the row in every transaction that uses it, so that none which begins after an erasure opens anything of that
 * subject; the unwrapped key, kept for a minute to spare KMS, is dropped when the erasure is told.
 */
export class SubjectKeys {
  private readonly cached: CachedDataKeys;
  /** What transactions have read, by subject: one that opens several things reads the row once. */
  private readonly read = new WeakMap<Tx, Map<string, Buffer | null>>();
  private listening: { close(): Promise<void> } | undefined;

  constructor(
    private readonly database: Pick<Database, 'listen'>,
    private readonly dataKeys: Pick<DataKeys, 'generate' | 'unwrap'>,
  ) {
    this.cached = new CachedDataKeys(dataKeys);
  }

  async start(): Promise<void> {
    this.listening = await this.database.listen(SUBJECT_ERASED, (subjectId) => this.cached.forget(subjectId));
  }

  async close(): Promise<void> {
    await this.listening?.close();
    this.cached.clear();
  }

  /** A key for a new subject. Throws DependencyUnavailable while KMS is away. */
  make(tenantId: string, subjectId: string): Promise<DataKey> {
    return this.dataKeys.generate(subjectKeyContext(tenantId, subjectId)).catch(unavailable);
  }

  /** The subject's key; null when it was destroyed, or when the tenant has no such subject. Throws DependencyUnavailable. */
  async of(tx: Tx, tenantId: string, subjectId: string): Promise<Buffer | null> {
    const known = this.read.get(tx)?.get(subjectId);
    const wrapped = known === undefined ? await this.wrappedOf(tx, tenantId, subjectId) : known;
    return wrapped && this.unwrap(tenantId, subjectId, wrapped);
  }

  /** A row of the tenant's subject was read in this transaction: its key need not be read again. */
  seen(tx: Tx, { id, wrapped_key }: { id: string; wrapped_key: Buffer | null }): void {
    const known = this.read.get(tx) ?? new Map<string, Buffer | null>();
    this.read.set(tx, known.set(id, wrapped_key));
  }

  unwrap(tenantId: string, subjectId: string, wrapped: Buffer): Promise<Buffer> {
    return this.cached.unwrap(subjectId, wrapped, subjectKeyContext(tenantId, subjectId)).catch(unavailable);
  }

  /** Destroys the key in the transaction, and tells every process once that is committed. What it sealed opens no more. */
  async destroyed(tx: Tx, subjectId: string): Promise<void> {
    this.seen(tx, { id: subjectId, wrapped_key: null });
    await tx.query(`select pg_notify($1, $2)`, [SUBJECT_ERASED, subjectId]);
    this.cached.forget(subjectId);
  }

  private async wrappedOf(tx: Tx, tenantId: string, subjectId: string): Promise<Buffer | null> {
    const [row] = await tx.query<{ wrapped_key: Buffer | null }>(
      `select wrapped_key from identity.subject where id = $1 and tenant_id = $2`,
      [subjectId, tenantId],
    );
    const wrapped = row?.wrapped_key ?? null;
    this.seen(tx, { id: subjectId, wrapped_key: wrapped });
    return wrapped;
  }
}

function unavailable(error: unknown): never {
  if (!(error instanceof KmsUnavailable)) throw error;
  throw new DependencyUnavailable(
    'The key service cannot be reached at present: try again.',
    {},
    { 'Retry-After': '5' },
  );
}
