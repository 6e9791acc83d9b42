import { ChainArchive, type History } from '@constancia/archives';
import { ObjectStore } from '@constancia/storage';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { StatementSeal } from '../../../billing/statements/statement-seal.ts';
import { PlatformConfig } from '../../../config.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { TRAIL } from '../session-chain.ts';
import { type TrailEvent, trailEvent, type TrailRow } from '../session-trail.ts';
import type { ArchivedSessionTrail } from './archived-session-trail.entity.ts';
import type { SessionTrailArchive } from './session-trail-archive.entity.ts';

/** Trails of sessions that ended long ago: a file has whole trails. Nothing in them is personal. */
@Injectable()
export class SessionTrailArchives extends ChainArchive<SessionTrailArchive, ArchivedSessionTrail> {
  protected readonly history: History = {
    name: 'session-trails',
    table: 'identity.session_event',
    archive: { schema: 'identity', table: 'session_trail_archive' },
    rowsPerFile: 1_000,
    act: 'session.archived',
  };
  protected readonly tables = { chain: TRAIL, places: 'archived_session_trail', prefix: 'fls' } as const;

  constructor(
    database: IdentityDatabase,
    signer: StatementSeal,
    logger: Logger,
    config: PlatformConfig,
    objects: ObjectStore,
  ) {
    super(database, { signer, objects, logger, archiveAfterDays: config.sessionTrailArchiveAfterDays });
  }

  /** The events of a trail that are in a file, the oldest first; none: all are in the database. Throws DependencyUnavailable. */
  async events(tenantId: string, sessionId: string): Promise<TrailEvent[]> {
    const located = await this.database.tenant(tenantId, (tx) => this.locate(tx, tenantId, [sessionId]));
    const [lines = []] = await this.linesOf(located);
    return lines.map((line) => {
      const row = JSON.parse(line) as TrailRow;
      return trailEvent({ ...row, at: new Date(row.at) });
    });
  }
}
