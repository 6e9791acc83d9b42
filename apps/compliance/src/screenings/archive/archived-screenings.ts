import { Database, type Tx } from '@constancia/persistence';
import { PersonalData, type TenantKeyring } from '@constancia/personal-data';
import { Injectable } from '@nestjs/common';
import { MoreThanOrEqual } from 'typeorm';
import { openScreening, type ScreeningRow } from '../sealed-screening.ts';
import type { Screening } from '../screening.entity.ts';
import { ScreeningArchive } from './screening-archive.entity.ts';
import { ScreeningArchives } from './screening-archives.ts';

/** A screening, and the file that has it. */
export interface LocatedScreening {
  row: ScreeningRow;
  archive: ScreeningArchive;
}

/** What is wanted of a file. */
interface Wanted {
  archive: ScreeningArchive;
  /** Numbers of screenings. */
  seqs: number[];
}

interface Filed {
  stored: Screening;
  archive: ScreeningArchive;
}

const INDEX = 'select seq from compliance.archived_screening where tenant_id = $1 and id = any ($2)';
const BLOCKED = 'select seq from compliance.blocked_archived_screenings($1, $2) limit $3';

/** Reads screenings from the files that they were moved into, verified. */
@Injectable()
export class ArchivedScreenings {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly archives: ScreeningArchives,
  ) {}

  /** Those of these UUIDs that are archived, in no order, without what an erasure blocks. Throws DependencyUnavailable. */
  async many(tenantId: string, ids: readonly string[]): Promise<LocatedScreening[]> {
    if (ids.length === 0) return [];
    const wanted = await this.database.tenant(tenantId, (tx) => filesWith(tx, tenantId, INDEX, [tenantId, ids]));
    if (wanted.length === 0) return [];
    const filed = await this.read(wanted);
    const keyring = await this.personal.tenant(tenantId);
    return this.database.tenant(tenantId, (tx) => opened(tx, keyring, filed));
  }

  /** What these receipts block of the archived ones, `limit` at most. Throws DependencyUnavailable. */
  async blocked(
    tx: Tx,
    keyring: TenantKeyring,
    { tenantId, receipts, limit }: { tenantId: string; receipts: readonly string[]; limit: number },
  ): Promise<ScreeningRow[]> {
    const wanted = await filesWith(tx, tenantId, BLOCKED, [tenantId, receipts, limit]);
    return (await opened(tx, keyring, await this.read(wanted))).map(({ row }) => row);
  }

  private async read(wanted: readonly Wanted[]): Promise<Filed[]> {
    const filed: Filed[] = [];
    for (const { archive, seqs } of wanted) {
      const lines = await this.archives.linesFor(archive);
      for (const seq of seqs) filed.push({ stored: storedRow(lines[seq - archive.from_seq] as string), archive });
    }
    return filed;
  }
}

/** Until when screenings of a tenant are archived; null: none is. */
export async function archivedUntil(tx: Tx, tenantId: string): Promise<Date | null> {
  const sql = 'select max(last_at) as until from compliance.screening_archive where tenant_id = $1';
  const [row] = await tx.query<{ until: Date | null }>(sql, [tenantId]);
  return row?.until ?? null;
}

/** The same of a period that begins with `from`; null: none of its screenings is archived. */
export async function archivedWithin(tx: Tx, tenantId: string, from: Date): Promise<Date | null> {
  const until = await archivedUntil(tx, tenantId);
  return until !== null && until >= from ? until : null;
}

/** The files that have the screenings whose numbers a statement answers. */
async function filesWith(tx: Tx, tenantId: string, sql: string, params: unknown[]): Promise<Wanted[]> {
  const rows = await tx.query<{ seq: number }>(sql, params);
  let rest = rows.map(({ seq }) => seq).sort((one, other) => one - other);
  const wanted: Wanted[] = [];
  while (rest.length > 0) {
    const where = { tenant_id: tenantId, through_seq: MoreThanOrEqual(rest[0] as number) };
    const [found] = await tx.manager.find(ScreeningArchive, { where, order: { through_seq: 'ASC' }, take: 1 });
    const archive = found as ScreeningArchive;
    const seqs = rest.filter((seq) => seq <= archive.through_seq);
    wanted.push({ archive, seqs });
    rest = rest.slice(seqs.length);
  }
  return wanted;
}

/** With what was sealed in place; without those whose key an erasure has destroyed. */
async function opened(tx: Tx, keyring: TenantKeyring, filed: readonly Filed[]): Promise<LocatedScreening[]> {
  const keys = await tx.query<{ id: string; wrapped_key: Buffer }>(
    'select id, wrapped_key from compliance.subject_key where id = any ($1) and wrapped_key is not null',
    [filed.map(({ stored }) => stored.subject_key_id)],
  );
  const wrapped = new Map(keys.map(({ id, wrapped_key }) => [id, wrapped_key]));
  return filed.flatMap(({ stored, archive }) => {
    const wrapped_key = wrapped.get(stored.subject_key_id ?? '');
    return wrapped_key === undefined ? [] : [{ row: openScreening(keyring, { ...stored, wrapped_key }), archive }];
  });
}

const BYTES = ['rules_hash', 'sealed_payload', 'sealed_facts', 'sealed_result'] as const;

/** A line of a file as the row that it was. */
function storedRow(line: string): Screening {
  const row = JSON.parse(line) as Record<string, unknown> & { created_at: string };
  const bytes = BYTES.map((column) => [column, Buffer.from((row[column] as string).slice(2), 'hex')]);
  return { ...row, ...Object.fromEntries(bytes), created_at: new Date(row.created_at) } as unknown as Screening;
}
