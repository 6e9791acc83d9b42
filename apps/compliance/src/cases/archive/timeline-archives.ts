import { ChainArchive, type FiledChain, type History } from '@constancia/archives';
import { Database } from '@constancia/persistence';
import { ArchiveKeys, ObjectStore } from '@constancia/storage';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { TIMELINE } from '../../case-records/case-chains.ts';
import type { CaseEventRow } from '../../case-records/case-event.entity.ts';
import { ComplianceConfig } from '../../config.ts';
import type { ArchivedTimeline } from './archived-timeline.entity.ts';
import type { TimelineArchive } from './timeline-archive.entity.ts';

/** A timeline of a file. blocked: by an erasure. */
type FiledTimeline = FiledChain<ArchivedTimeline> & { blocked: boolean };

/** `known`: the anchored heads. A case that an erasure blocks is not seen by the tenant. */
const ADDED = `,
  (select coalesce(jsonb_agg(jsonb_build_object('seq', a.seq, 'hash', a.hash)), '[]') from compliance.case_anchor a
    where a.case_id = p.case_id and a.seq <= p.events) as known,
  not exists (select from compliance.review_case c where c.id = p.case_id) as blocked`;

/**
 * Timelines of cases that were resolved long ago: a file has whole timelines. What people wrote is in it as it is in the database, sealed
 * with the key of the case's subject, which no file has.
 */
@Injectable()
export class TimelineArchives extends ChainArchive<TimelineArchive, ArchivedTimeline> {
  protected readonly history: History = {
    name: 'timelines',
    table: 'compliance.case_event',
    archive: { schema: 'compliance', table: 'timeline_archive' },
    rowsPerFile: 1_000,
    act: 'case.archived',
  };
  protected readonly tables = { chain: TIMELINE, places: 'archived_timeline', prefix: 'cas' } as const;
  protected override readonly added = ADDED;

  constructor(database: Database, signer: ArchiveKeys, logger: Logger, config: ComplianceConfig, objects: ObjectStore) {
    super(database, { signer, objects, logger, archiveAfterDays: config.timelineArchiveAfterDays });
  }

  /** The events of a timeline that are in a file, the oldest first; none: all are in the database. Throws DependencyUnavailable. */
  async events(tenantId: string, caseId: string): Promise<CaseEventRow[]> {
    const located = await this.database.tenant(tenantId, (tx) => this.locate(tx, tenantId, [caseId]));
    const [lines = []] = await this.linesOf(located);
    return lines.map(archivedRow);
  }

  /** Operators see nothing of what an erasure blocks. */
  protected override async opened(archive: TimelineArchive, lines: string[]): Promise<string[]> {
    const places = (await this.placesOf(archive)) as FiledTimeline[];
    const blocked = new Set(places.filter((place) => place.blocked).map(({ case_id }) => case_id));
    return lines.map((line) => {
      const caseId = this.ownerOf(line);
      return blocked.has(caseId) ? JSON.stringify({ case_id: caseId, blocked: true }) : line;
    });
  }
}

/** The row that a line of a file was. */
export function archivedRow(line: string): CaseEventRow {
  const row = JSON.parse(line) as Omit<CaseEventRow, 'at' | 'sealed'> & { at: string; sealed: string | null };
  return {
    ...row,
    at: new Date(row.at),
    sealed: row.sealed && Buffer.from(row.sealed.slice(2), 'hex'),
  } as CaseEventRow;
}
