import { type ArchivedFile, HistoryArchive, type History, sameRow } from '@constancia/archives';
import { Database } from '@constancia/persistence';
import { ObjectStore } from '@constancia/storage';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { StatementSeal } from '../billing/statements/statement-seal.ts';
import { PlatformConfig } from '../config.ts';
import type { LedgerArchive } from './ledger-archive.entity.ts';

/** Entries of the ledger: a file has those from_seq to through_seq of an account. */
@Injectable()
export class LedgerArchives extends HistoryArchive<LedgerArchive> {
  protected readonly history: History = {
    name: 'ledger',
    table: 'platform.credit_entry',
    archive: { schema: 'platform', table: 'ledger_archive' },
    rowsPerFile: 2_000,
    act: 'ledger.archived',
  };

  constructor(database: Database, signer: StatementSeal, logger: Logger, config: PlatformConfig, objects: ObjectStore) {
    super(database, { signer, objects, logger, archiveAfterDays: config.ledgerArchiveAfterDays });
  }

  /** The balance goes on from the file before, ends as recorded, and entries that stayed in the ledger are those of the file. */
  protected override async faultIn(
    archive: LedgerArchive,
    lines: readonly string[],
    before: LedgerArchive | null,
  ): Promise<string | null> {
    if (archive.balance_before !== (before?.balance_after ?? 0)) return 'predecessor';
    if (!endsAt(archive, lines)) return 'balance';
    return (await this.keptAreThose(archive, lines)) ? null : 'kept_entry';
  }

  private async keptAreThose({ id, from_seq }: ArchivedFile, lines: readonly string[]): Promise<boolean> {
    const sql = 'select * from platform.kept_of_ledger_archive($1)';
    const kept = await this.database.query<{ seq: number; line: string }>(sql, [id]);
    return kept.every(({ seq, line }) => {
      const archived = lines[seq - from_seq];
      return archived !== undefined && sameRow(line, archived);
    });
  }
}

/** Whether the last entry of the file is the one that the database goes on from. */
function endsAt({ through_seq, balance_after }: LedgerArchive, lines: readonly string[]): boolean {
  const last = JSON.parse(lines.at(-1) ?? '{}') as { seq?: number; balance_after?: number };
  return last.seq === through_seq && last.balance_after === balance_after;
}
