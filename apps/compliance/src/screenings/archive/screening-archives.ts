import { type FileContent, HistoryArchive, type History, type NextRow } from '@constancia/archives';
import { Database } from '@constancia/persistence';
import { ArchiveKeys, ObjectStore } from '@constancia/storage';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { ComplianceConfig } from '../../config.ts';
import type { ScreeningArchive } from './screening-archive.entity.ts';

/** Of what a line of a file is looked at here. */
interface ArchivedRow {
  id: string;
}

const idOf = (line: string): string => (JSON.parse(line) as ArchivedRow).id;

/** Old screenings in files, each still sealed with the key of its subject: anyone who has only a file can read nothing personal in it. */
@Injectable()
export class ScreeningArchives extends HistoryArchive<ScreeningArchive> {
  protected readonly history: History = {
    name: 'screenings',
    table: 'compliance.screening',
    archive: { schema: 'compliance', table: 'screening_archive' },
    // A file is read whole for one of its screenings.
    rowsPerFile: 500,
    act: 'screening.archived',
  };

  constructor(database: Database, signer: ArchiveKeys, logger: Logger, config: ComplianceConfig, objects: ObjectStore) {
    super(database, { signer, objects, logger, archiveAfterDays: config.screeningArchiveAfterDays });
  }

  protected override content(rows: readonly NextRow[]): Promise<FileContent> {
    const lines = rows.map(({ line }) => line);
    return Promise.resolve({ lines, record: { ids: lines.map(idOf) } });
  }

  /** Operators see nothing of what an erasure blocks. */
  protected override async opened(_archive: ScreeningArchive, lines: string[]): Promise<string[]> {
    const known = await this.known(lines);
    return lines.map((line) => {
      const id = idOf(line);
      return known.get(id)?.blocked === false ? line : JSON.stringify({ id, blocked: true });
    });
  }

  /** Every screening of the file, and no other, is looked up under its number. */
  protected override async faultIn(archive: ScreeningArchive, lines: readonly string[]): Promise<string | null> {
    const known = await this.known(lines);
    const isThere = (line: string, nth: number): boolean => {
      const found = known.get(idOf(line));
      return found?.tenant_id === archive.tenant_id && found.seq === archive.from_seq + nth;
    };
    return lines.length === archive.through_seq - archive.from_seq + 1 && lines.every(isThere) ? null : 'index';
  }

  private async known(lines: readonly string[]): Promise<Map<string, IndexedScreening>> {
    const sql = 'select * from compliance.ops_archived_screenings($1)';
    const rows = await this.database.query<IndexedScreening>(sql, [lines.map(idOf)]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}

interface IndexedScreening {
  id: string;
  tenant_id: string;
  seq: number;
  blocked: boolean;
}
