import { Coalescer } from '@constancia/kernel';
import { type Database, DatabaseUnavailableError } from '@constancia/persistence';
import type { Backlog, ClaimedRow, Seal, SealingKind, SealingSource, SealingWork } from './sealing-work.ts';

/** How long claimed work belongs to who claimed it. A worker that dies costs its work this long, and a sweep. */
export const LEASE_SECONDS = 12;

/** Names of the functions in the schema `signing` that one kind of work goes through. */
export interface FunctionNames {
  claim: string;
  extend: string;
  complete: string;
  fail: string;
  defer: string;
  backlog: string;
}

/** Work that is sealed now, as the function that completes takes it. */
type Completion = Record<string, unknown> & { id: string };

/** What came of a completion: whether the lease was still held, or why it could not be written. */
type Completed = boolean | Error;

const MAX_COMPLETIONS = 64;

/** Work of one kind in Postgres as the sealing run sees it, behind functions that are fenced by the lease. */
export abstract class SealingTable<Row extends ClaimedRow> implements SealingSource {
  abstract readonly kind: SealingKind;
  /** Work that is done while other work is being written shares the next transaction. */
  private readonly completions: Coalescer<Completion, Completed>;

  constructor(
    protected readonly database: Database,
    private readonly names: FunctionNames,
  ) {
    this.completions = new Coalescer((batch) => this.completeAll(batch), {
      maxBatch: MAX_COMPLETIONS,
      maxConcurrent: 1,
    });
  }

  /** A claimed row with how it is sealed. */
  protected abstract workOf(row: Row): SealingWork;

  async claim(limit: number): Promise<SealingWork[]> {
    const { claim } = this.names;
    const params = [limit, LEASE_SECONDS];
    const rows = await this.database.prepared<Row>(claim, `select * from signing.${claim}($1, $2)`, params);
    return rows.map((row) => this.workOf(row));
  }

  extend(works: readonly SealingWork[]): Promise<unknown> {
    return this.database.query(`select signing.${this.names.extend}($1, $2, $3)`, [
      works.map(({ id }) => id),
      works.map(({ lease_token }) => lease_token),
      LEASE_SECONDS,
    ]);
  }

  /**
   * False: the lease was lost, and nothing is written.
   *
   * @param more what this kind of work gets in addition to its seal
   */
  protected async storeSeal(row: Row, seal: Seal, more: Record<string, unknown>): Promise<boolean> {
    const completed = await this.completions.submit({
      id: row.id,
      lease_token: row.lease_token,
      document_sha256: bytea(seal.sha256),
      document_key: seal.key,
      document_size: seal.size,
      kms_key_arn: seal.kmsKeyArn,
      signature: bytea(seal.signature),
      signature_algorithm: seal.algorithm,
      signed_at: seal.signedAt,
      ...more,
    });
    if (completed instanceof Error) throw completed;
    return completed;
  }

  protected storeFailure(row: Row, ...params: unknown[]): Promise<boolean> {
    return this.fenced(this.names.fail, row, params);
  }

  protected putOff(row: Row, ...params: unknown[]): Promise<boolean> {
    return this.fenced(this.names.defer, row, params);
  }

  async backlog(): Promise<Backlog> {
    const [row] = await this.database.query<{ waiting: string; oldest_seconds: number }>(
      `select * from signing.${this.names.backlog}()`,
    );
    return { waiting: Number(row?.waiting ?? 0), oldestSeconds: row?.oldest_seconds ?? 0 };
  }

  /** Of several, one that cannot be written keeps the others from nothing: then each is written by itself. */
  private async completeAll(batch: Completion[]): Promise<Completed[]> {
    const { complete } = this.names;
    try {
      const rows = await this.database.prepared<{ id: string }>(
        complete,
        `select ${complete} as id from signing.${complete}($1)`,
        [JSON.stringify(batch)],
      );
      const done = new Set(rows.map(({ id }) => id));
      return batch.map(({ id }) => done.has(id));
    } catch (error) {
      if (batch.length === 1 || error instanceof DatabaseUnavailableError) return batch.map(() => error as Error);
      const each: Completed[] = [];
      for (const one of batch) each.push(...(await this.completeAll([one])));
      return each;
    }
  }

  private async fenced(name: string, { id, lease_token }: Row, more: unknown[]): Promise<boolean> {
    const params = [id, lease_token, ...more];
    const places = params.map((_, nth) => `$${nth + 1}`).join(', ');
    const [row] = await this.database.query<{ ours: boolean }>(`select signing.${name}(${places}) as ours`, params);
    return row?.ours ?? false;
  }
}

const bytea = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
