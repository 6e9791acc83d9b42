import { createHash } from 'node:crypto';
import { LedgerArchive } from '@constancia/credit-ledger';
import { isUuid, uuidv7 } from '@constancia/kernel';
import { Database, recordAct } from '@constancia/persistence';
import { DependencyUnavailable, NotFound, StateConflict } from '@constancia/problem-json';
import { ArchiveDamaged, type ArchiveRecord, ObjectStore, SignedArchives } from '@constancia/storage';
import { Injectable } from '@nestjs/common';
import { StatementSeal } from '../billing/statements/statement-seal.ts';
import type { StatementKeyRow } from '../billing/statements/statement-key.entity.ts';
import { PlatformConfig } from '../config.ts';

/** Entries of a file: under a megabyte, read, signed and deleted in some tenths of a second. */
const ROWS_PER_FILE = 2_000;
/** How often a run begins again because another one was faster. */
const ATTEMPTS = 5;
const HISTORY = 'ledger';
const TABLE = 'platform.credit_entry';

export type ListedArchive = LedgerArchive & { slug: string };

/** Where a list of files goes on. */
export interface ArchivePlace {
  tenantId: string;
  throughSeq: number;
}

/** An archive that is not what was recorded: of ArchiveFault, or what the database says of it does not fit. */
export type ArchiveVerdict = { valid: true } | { valid: false; fault: string };

interface NextEntry {
  tenant_id: string;
  seq: number;
  line: string;
  head_before: string;
  previous_sha256: string | null;
}

const COLUMNS = '(archive).*, slug';

/**
 * Moves old entries of the ledger into signed files. A file is written and read back before the database records it; recording it and
 * deleting its entries is one transaction. So a run that is cut off leaves both the entries and a file that nobody names, or the recorded
 * file alone, and the next run goes on from there.
 */
@Injectable()
export class LedgerArchives {
  private readonly files: SignedArchives;

  constructor(
    private readonly database: Database,
    private readonly seal: StatementSeal,
    private readonly config: PlatformConfig,
    objects: ObjectStore,
  ) {
    this.files = new SignedArchives(objects);
  }

  /** Archives the next file, of one tenant or of any; null when nothing is old enough. */
  async archiveNext(tenantId: string | null, operator: string, reason: string): Promise<ListedArchive | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const entries = await this.nextEntries(tenantId);
      if (entries.length === 0) return null;
      const id = uuidv7();
      if (await this.archive(id, entries, operator, reason)) return this.find(id);
    }
    throw new StateConflict('Another run archives the same tenant at this moment: try again when it has ended.');
  }

  /** Files of one tenant or of all, those of a tenant in their order. */
  list(tenantId: string | null, after: ArchivePlace | undefined, limit: number): Promise<ListedArchive[]> {
    return this.database.query<ListedArchive>(`select ${COLUMNS} from platform.ledger_archives($1, null, $2, $3, $4)`, [
      tenantId,
      after?.tenantId ?? null,
      after?.throughSeq ?? null,
      limit,
    ]);
  }

  /** Throws NotFound. */
  async find(id: string): Promise<ListedArchive> {
    const sql = `select ${COLUMNS} from platform.ledger_archives(null, $1, null, null, 1)`;
    const [archive] = isUuid(id) ? await this.database.query<ListedArchive>(sql, [id]) : [];
    if (!archive) throw new NotFound('There is no archive with this id: GET /ops/archives lists them.');
    return archive;
  }

  /** The entries of a file, as the database wrote them. Throws StateConflict when the file is not the one that was recorded. */
  async read(archive: LedgerArchive): Promise<string[]> {
    return undamaged(this.files.read(recordOf(archive), await this.publicKeyOf(archive)));
  }

  /** Whether a file is the one that was recorded, follows the file before it, and has the entries that the ledger still has. */
  async verify(archive: LedgerArchive): Promise<ArchiveVerdict> {
    let lines: string[];
    try {
      lines = await this.files.read(recordOf(archive), await this.publicKeyOf(archive));
    } catch (error) {
      if (!(error instanceof ArchiveDamaged)) throw error;
      return { valid: false, fault: error.fault };
    }
    if (!(await this.followsFileBefore(archive))) return { valid: false, fault: 'predecessor' };
    if (!endsAt(archive, lines)) return { valid: false, fault: 'balance' };
    return (await this.keptAreThose(archive, lines)) ? { valid: true } : { valid: false, fault: 'kept_entry' };
  }

  private nextEntries(tenantId: string | null): Promise<NextEntry[]> {
    const before = new Date(Date.now() - this.config.ledgerArchiveAfterDays * 86_400_000);
    const sql = 'select * from platform.next_ledger_archive($1, $2, $3)';
    return this.database.query<NextEntry>(sql, [tenantId, before, ROWS_PER_FILE]);
  }

  /** Whether it was this run that archived them. */
  private async archive(id: string, entries: NextEntry[], operator: string, reason: string): Promise<boolean> {
    const [first, last] = [entries[0] as NextEntry, entries.at(-1) as NextEntry];
    const { tenant_id, head_before, previous_sha256 } = first;
    const rows = entries.map(({ line }) => line);
    const range = { from: first.seq, through: last.seq };
    const file = { history: HISTORY, table: TABLE, tenant_id, ...range, head_before, previous_sha256, rows };
    const stored = await undamaged(this.files.store(file, await this.seal.archiveKey()));
    const recorded = await this.database.tenant(tenant_id, async (tx) => {
      const archive = { ...columnsOf(stored), id, archived_by: operator };
      const digest = createHash('sha256').update(rows.join('\n')).digest('hex');
      const sql = 'select platform.record_ledger_archive($1, $2) as recorded';
      const [answer] = await tx.query<{ recorded: boolean }>(sql, [JSON.stringify(archive), digest]);
      if (answer?.recorded !== true) return false;
      const data = { archive_id: id, ...range, sha256: stored.sha256, reason };
      await recordAct(tx, { type: 'ledger.archived', operator, tenantId: tenant_id, data });
      return true;
    });
    if (!recorded) await this.discard(tenant_id, stored);
    return recorded;
  }

  /** The other run may have written the very same file. */
  private async discard(tenantId: string, { object_key }: ArchiveRecord): Promise<void> {
    const named = await this.database.tenant(tenantId, (tx) => tx.manager.countBy(LedgerArchive, { object_key }));
    if (named === 0) await this.files.discard({ object_key });
  }

  private async publicKeyOf({ key_fingerprint }: LedgerArchive): Promise<string> {
    const keys = await this.database.query<StatementKeyRow>('select * from platform.statement_keys()');
    const key = keys.find(({ fingerprint }) => fingerprint.toString('hex') === key_fingerprint);
    if (key) return key.public_key_pem;
    throw new DependencyUnavailable(`The database has no key ${key_fingerprint}, which signed this file.`);
  }

  private async followsFileBefore(archive: LedgerArchive): Promise<boolean> {
    if (archive.from_seq === 1) return archive.previous_sha256 === null && archive.balance_before === 0;
    const place = { tenantId: archive.tenant_id, throughSeq: archive.from_seq - 2 };
    const [before] = await this.list(archive.tenant_id, place, 1);
    return (
      before?.through_seq === archive.from_seq - 1 &&
      before.head_after === archive.head_before &&
      before.sha256 === archive.previous_sha256 &&
      before.balance_after === archive.balance_before
    );
  }

  private async keptAreThose(archive: LedgerArchive, lines: readonly string[]): Promise<boolean> {
    const sql = 'select * from platform.kept_of_ledger_archive($1)';
    const kept = await this.database.query<{ seq: number; line: string }>(sql, [archive.id]);
    return kept.every(({ seq, line }) => lines[seq - archive.from_seq] === line);
  }
}

async function undamaged<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ArchiveDamaged)) throw error;
    throw new StateConflict(`The file in the object store is not the one that was written: ${error.fault}.`);
  }
}

/** Whether the last entry of the file is the one that the database goes on from. */
function endsAt({ through_seq, balance_after }: LedgerArchive, lines: readonly string[]): boolean {
  const last = JSON.parse(lines.at(-1) ?? '{}') as { seq?: number; balance_after?: number };
  return last.seq === through_seq && last.balance_after === balance_after;
}

function recordOf({ from_seq: from, through_seq: through, ...columns }: LedgerArchive): ArchiveRecord {
  return { ...columns, history: HISTORY, table: TABLE, from, through };
}

/** As the columns of ledger_archive; the function that records it adds what it finds of the entries. */
function columnsOf({ from, through, signature, ...record }: ArchiveRecord): object {
  return { ...record, from_seq: from, through_seq: through, signature: `\\x${signature.toString('hex')}` };
}
