import { MATCHER_VERSION, type ListCode } from '@constancia/name-screening';
import type { Database, Tx } from '@constancia/persistence';

/** What is known of an active version without its contents. */
export interface ActiveList {
  id: string;
  list: ListCode;
  /** Null: the operator's. */
  tenant_id: string | null;
  version: string;
  entries: number;
  /** What the source says; null where it says nothing. */
  published_at: Date | null;
  imported_at: Date;
  /** When its file was last imported, be it unchanged. */
  checked_at: Date;
  sha256: Buffer;
  /** Ships with the product, for the sandbox: nobody real is on it. */
  fictional: boolean;
}

export type ListPart = 'entries' | 'changes' | 'index';

/** Bytes of a stored piece: small enough that reading one does not hold up the requests beside it. */
const PIECE_BYTES = 512 * 1024;

/** Moves whenever what is active changes. */
export async function readTicks(database: Database): Promise<number> {
  const [row] = await database.query<{ ticks: number }>('select ticks from compliance.list_clock');
  return row?.ticks ?? 0;
}

/** What is active, the operator's lists and every tenant's. */
export function activeLists(database: Database): Promise<ActiveList[]> {
  return database.query<ActiveList>('select * from compliance.active_lists()');
}

/** A transaction that reads and writes the tenant's own list, or, without a tenant, the operator's. */
export function listTransaction<T>(
  database: Database,
  tenantId: string | null,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return tenantId === null ? database.transaction(work) : database.tenant(tenantId, work);
}

export interface ListVersionKey {
  id: string;
  tenant_id: string | null;
}

/** A part of a version, put together from its pieces; undefined when it was never stored. */
export async function readPart(
  database: Database,
  { id, tenant_id }: ListVersionKey,
  part: ListPart,
): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  for (;;) {
    // A piece at a time: the driver turns hexadecimal into bytes on the thread that answers requests.
    const [row] = await listTransaction(database, tenant_id, (tx) =>
      tx.query<{ bytes: Buffer }>(
        `select bytes from compliance.list_content
          where version_id = $1 and part = $2 and matcher_version = $3 and seq = $4`,
        [id, part, matcherOf(part), pieces.length],
      ),
    );
    if (!row) break;
    pieces.push(row.bytes);
  }
  return pieces.length > 0 ? Buffer.concat(pieces) : undefined;
}

/** Stores a part of a version. One that is there already stays as it is: the same build made it. */
export async function writePart(
  tx: Tx,
  { id, tenant_id }: ListVersionKey,
  part: ListPart,
  bytes: Buffer,
): Promise<void> {
  for (let seq = 0; seq * PIECE_BYTES < Math.max(bytes.length, 1); seq++) {
    await tx.query(
      `insert into compliance.list_content (version_id, tenant_id, part, matcher_version, seq, bytes)
       values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
      [id, tenant_id, part, matcherOf(part), seq, bytes.subarray(seq * PIECE_BYTES, (seq + 1) * PIECE_BYTES)],
    );
  }
}

/** Entries are the same for every matcher; an index fits the one that built it. */
const matcherOf = (part: ListPart): string => (part === 'index' ? MATCHER_VERSION : '');

/** The version of that name, active or not; undefined when there is none. */
export async function versionNamed(
  database: Database,
  list: ListCode,
  tenantId: string | null,
  version: string,
): Promise<ActiveList | undefined> {
  const [row] = await listTransaction(database, tenantId, (tx) =>
    tx.query<ActiveList>(
      `select id, list, tenant_id, version, entries, published_at, imported_at, checked_at, sha256, fictional
         from compliance.list_version
        where list = $1 and tenant_id is not distinct from $2 and version = $3 and status <> 'refused'`,
      [list, tenantId, version],
    ),
  );
  return row;
}
