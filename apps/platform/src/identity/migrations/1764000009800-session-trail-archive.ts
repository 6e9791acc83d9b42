import { chainArchiveSchema } from '@constancia/archives/chain-schema';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TRAIL } from '../sessions/session-chain.ts';

/** Trails of sessions that ended long ago are kept as files of the object store (ADR 0267). */
export class SessionTrailArchive1764000009800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      chainArchiveSchema({
        chain: TRAIL,
        owners: 'flow_session',
        createdAt: 'o.created_at',
        endedAt: 'o.completed_at',
        mayLeave: 'not o.pending_approval',
        archive: 'session_trail_archive',
        places: 'archived_session_trail',
      }),
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
