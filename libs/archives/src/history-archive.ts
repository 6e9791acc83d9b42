import { createHash } from 'node:crypto';
import type { HistoryName } from '@constancia/contracts';
import { isUuid, uuidv7 } from '@constancia/kernel';
import { type Database, recordAct, sqlState } from '@constancia/persistence';
import { DependencyUnavailable, NotFound, StateConflict } from '@constancia/problem-json';
import {
  ArchiveDamaged,
  type ArchiveKey,
  type ArchiveRecord,
  type ObjectStore,
  SignedArchives,
  StorageUnavailable,
} from '@constancia/storage';
import type { Logger } from '@constancia/telemetry';
import type { ArchivedFile } from './archived-file.ts';

/** How often a run begins again because another one was faster, or rows have changed. */
const ATTEMPTS = 5;
/** SQLSTATE of what `record_<table>` refuses. */
const CONFLICT = 'CN409';

/** A kind of rows that old ones are archived of. */
export interface History {
  name: HistoryName;
  /** Whose rows the files have, as their headers say. */
  table: string;
  /** Where its files are recorded (archiveSchema). */
  archive: { schema: string; table: string };
  /** Rows of a file: under a megabyte, read, signed and deleted in some tenths of a second. */
  rowsPerFile: number;
  /** Of the operators' log. */
  act: string;
}

/** A row of the next file, as `next_<table>` answers it. */
export interface NextRow {
  tenant_id: string;
  seq: number;
  line: string;
  head_before: string;
  previous_sha256: string | null;
}

/** What a file has of rows: their lines, or what a history makes of them. */
export interface FileContent {
  lines: string[];
  /** What `record_<table>` gets beside the members of every archive. */
  record?: object;
}

export type ListedArchive<Archive = ArchivedFile> = Archive & { slug: string };

/** Where a list of files goes on. */
export interface ArchivePlace {
  tenantId: string;
  throughSeq: number;
}

/** An archive that is not what was recorded: of ArchiveFault, or what the database says of it does not fit. */
export type ArchiveVerdict = { valid: true } | { valid: false; fault: string };

/** What signs files, and what they are checked with. */
export interface ArchiveSigner {
  /** The key that signs now. */
  archiveKey(): Promise<ArchiveKey>;
  /** PEM of the key with this fingerprint, which signed a file. */
  publicKeyPem(fingerprint: string): Promise<string>;
}

export interface HistoryArchiveParts {
  signer: ArchiveSigner;
  objects: ObjectStore;
  logger: Pick<Logger, 'error'>;
  /** Age from which rows may be archived. The database has a floor of its own. */
  archiveAfterDays: number;
}

/**
 * Moves old rows of a history into signed files. A file is written and read back before the database records it; recording it and
 * deleting its rows is one transaction. So a run that is cut off leaves both the rows and a file that nobody names, or the recorded file
 * alone, and the next run goes on from there. ArchivesModule offers it to operators.
 */
export abstract class HistoryArchive<Archive extends ArchivedFile = ArchivedFile> {
  protected abstract readonly history: History;
  private readonly files: SignedArchives;

  constructor(
    protected readonly database: Database,
    private readonly parts: HistoryArchiveParts,
  ) {
    this.files = new SignedArchives(parts.objects);
  }

  /** Archives the next file, of one tenant or of any; null when nothing is old enough. Throws StateConflict, DependencyUnavailable, and what the key throws. */
  async archiveNext(tenantId: string | null, operator: string, reason: string): Promise<ListedArchive<Archive> | null> {
    const unrecorded: ArchiveRecord[] = [];
    let id: string | null | undefined;
    for (let attempt = 0; id === undefined && attempt < ATTEMPTS; attempt++) {
      const rows = await this.nextRows(tenantId);
      id = rows.length === 0 ? null : await this.archive(rows, { operator, reason }, unrecorded);
    }
    for (const file of unrecorded) await this.discard(file);
    if (id === undefined)
      throw new StateConflict('Another run archives the same tenant at this moment: try again when it has ended.');
    return id === null ? null : this.find(id);
  }

  /** Files of one tenant or of all, those of a tenant in their order. */
  list(tenantId: string | null, after: ArchivePlace | undefined, limit: number): Promise<ListedArchive<Archive>[]> {
    return this.listed([tenantId, null, after?.tenantId ?? null, after?.throughSeq ?? null, limit]);
  }

  /** Throws NotFound. */
  async find(id: string): Promise<ListedArchive<Archive>> {
    const [archive] = isUuid(id) ? await this.listed([null, id, null, null, 1]) : [];
    if (!archive) throw new NotFound(`There is no archive with this id: GET /ops/archives/${this.name} lists them.`);
    return archive;
  }

  /**
   * The lines of a file that a caller of the API needs. Throws DependencyUnavailable when it cannot be read, and, with an entry in the log,
   * when it is not what was signed.
   */
  async linesFor(archive: Archive): Promise<string[]> {
    try {
      return await this.lines(archive);
    } catch (error) {
      if (!(error instanceof ArchiveDamaged)) throw error;
      this.parts.logger.error(
        { archive_id: archive.id, reason: error.fault },
        'an archived file is not what was signed',
      );
      throw new DependencyUnavailable(
        'The archived file that has this is not what was signed: the operator of the service has to restore it.',
      );
    }
  }

  /** The rows of a file, as the database wrote them, for operators. Throws StateConflict when it is not what was recorded, DependencyUnavailable. */
  async read(archive: Archive): Promise<string[]> {
    return undamaged(this.lines(archive).then((lines) => this.opened(archive, lines)));
  }

  /** Whether a file is the one that was recorded, follows the file before it, and fits what the database has of its rows. Throws DependencyUnavailable. */
  async verify(archive: Archive): Promise<ArchiveVerdict> {
    let lines: string[];
    try {
      lines = await this.lines(archive);
    } catch (error) {
      if (!(error instanceof ArchiveDamaged)) throw error;
      return { valid: false, fault: error.fault };
    }
    const before = await this.fileBefore(archive);
    const fault = follows(archive, before) ? await this.faultIn(archive, lines, before) : 'predecessor';
    return fault === null ? { valid: true } : { valid: false, fault };
  }

  get name(): HistoryName {
    return this.history.name;
  }

  /** What a file has of these rows of one tenant. */
  protected content(rows: readonly NextRow[]): Promise<FileContent> {
    return Promise.resolve({ lines: rows.map(({ line }) => line) });
  }

  /** The rows of which `content` made these lines. */
  protected opened(_archive: Archive, lines: string[]): Promise<string[]> {
    return Promise.resolve(lines);
  }

  /** What of a file that is whole does not fit the file before and the rows that the database has; null: it fits. */
  protected faultIn(_archive: Archive, _lines: readonly string[], _before: Archive | null): Promise<string | null> {
    return Promise.resolve(null);
  }

  /** The lines of a file. Throws ArchiveDamaged, and DependencyUnavailable. */
  private async lines(archive: Archive): Promise<string[]> {
    return reached(
      this.files.read(this.recordOf(archive), await this.parts.signer.publicKeyPem(archive.key_fingerprint)),
    );
  }

  private nextRows(tenantId: string | null): Promise<NextRow[]> {
    const { schema, table } = this.history.archive;
    const before = new Date(Date.now() - this.parts.archiveAfterDays * 86_400_000);
    const sql = `select * from ${schema}.next_${table}($1, $2, $3)`;
    return this.database.query<NextRow>(sql, [tenantId, before, this.history.rowsPerFile]);
  }

  private listed(params: unknown[]): Promise<ListedArchive<Archive>[]> {
    const { schema, table } = this.history.archive;
    const sql = `select (archive).*, slug from ${schema}.${table}s($1, $2, $3, $4, $5)`;
    return this.database.query<ListedArchive<Archive>>(sql, params);
  }

  /** The id of the file, or undefined when it was not recorded: another run was faster, or the rows have changed. */
  private async archive(
    rows: NextRow[],
    { operator, reason }: { operator: string; reason: string },
    unrecorded: ArchiveRecord[],
  ): Promise<string | undefined> {
    const id = uuidv7();
    const { name, table, archive: recorded, act } = this.history;
    const [first, last] = [rows[0] as NextRow, rows.at(-1) as NextRow];
    const { tenant_id, head_before, previous_sha256 } = first;
    const range = { from: first.seq, through: last.seq };
    const { lines, record } = await this.content(rows);
    const file = { history: name, table, tenant_id, ...range, head_before, previous_sha256, rows: lines };
    const stored = await undamaged(reached(this.files.store(file, await this.parts.signer.archiveKey())));
    const isRecorded = await this.database.tenant(tenant_id, async (tx) => {
      const columns = { ...record, ...columnsOf(stored), id, archived_by: operator };
      const digest = createHash('sha256')
        .update(rows.map(({ line }) => line).join('\n'))
        .digest('hex');
      const sql = `select ${recorded.schema}.record_${recorded.table}($1, $2) as recorded`;
      const [answer] = await tx.query<{ recorded: boolean }>(sql, [JSON.stringify(columns), digest]).catch(conflicting);
      if (answer?.recorded !== true) return false;
      const data = { archive_id: id, ...range, sha256: stored.sha256, reason };
      await recordAct(tx, { type: act, operator, tenantId: tenant_id, data });
      return true;
    });
    if (isRecorded) return id;
    unrecorded.push(stored);
    return undefined;
  }

  /**
   * Deletes a file that was not recorded, if another one has its first row: then no run can record it any more. Where none has, another run
   * that wrote the very same file may be about to record it.
   */
  private async discard({ tenant_id, object_key, from }: ArchiveRecord): Promise<void> {
    const { schema, table } = this.history.archive;
    const sql = `select object_key from ${schema}.${table} where tenant_id = $1 and from_seq <= $2 and through_seq >= $2`;
    const [recorded] = await this.database.tenant(tenant_id, (tx) =>
      tx.query<{ object_key: string }>(sql, [tenant_id, from]),
    );
    if (recorded && recorded.object_key !== object_key) await reached(this.files.discard({ object_key }));
  }

  private async fileBefore({ tenant_id, from_seq }: Archive): Promise<Archive | null> {
    if (from_seq === 1) return null;
    const [before] = await this.list(tenant_id, { tenantId: tenant_id, throughSeq: from_seq - 2 }, 1);
    return before ?? null;
  }

  private recordOf({ from_seq: from, through_seq: through, ...columns }: Archive): ArchiveRecord {
    const { name: history, table } = this.history;
    return { ...columns, history, table, from, through };
  }
}

/** What asks the object store, with DependencyUnavailable instead of StorageUnavailable. */
async function reached<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    throw new DependencyUnavailable('The store of archived files cannot be reached: try again.', {}, {}, error);
  }
}

/** What reads a file, with StateConflict instead of ArchiveDamaged. */
async function undamaged<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ArchiveDamaged)) throw error;
    throw new StateConflict(`The file in the object store is not the one that was written: ${error.fault}.`);
  }
}

/** What the database refuses to record: the message says why. */
function conflicting(error: unknown): never {
  if (sqlState(error) !== CONFLICT) throw error;
  throw new StateConflict(`The database does not record the file: ${(error as Error).message}.`);
}

function follows(archive: ArchivedFile, before: ArchivedFile | null): boolean {
  if (archive.from_seq === 1) return archive.previous_sha256 === null;
  return (
    before?.through_seq === archive.from_seq - 1 &&
    before.head_after === archive.head_before &&
    before.sha256 === archive.previous_sha256
  );
}

/** As the columns of the table; the function that records the file adds what it finds of the rows. */
function columnsOf({ from, through, signature, ...record }: ArchiveRecord): object {
  return { ...record, from_seq: from, through_seq: through, signature: `\\x${signature.toString('hex')}` };
}
