import { chainArchiveSchema } from '@constancia/archives/chain-schema';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TIMELINE } from '../case-records/case-chains.ts';

/**
 * What an erasure blocks stays, so does a timeline whose head is not anchored, and one of a former release whose texts are not sealed: a
 * file would keep them whatever becomes of the key.
 */
const MAY_LEAVE = `o.erasure_id is null and o.anchored_seq = o.head_seq and not exists (
  select from case_event t
   where t.case_id = o.id and t.sealed is null and t.data::jsonb ?| array['body', 'reason', 'name'])`;

/** Timelines of cases that were resolved long ago are kept as files of the object store (ADR 0267). */
export class TimelineArchive1764000009810 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      chainArchiveSchema({
        chain: TIMELINE,
        owners: 'review_case',
        createdAt: 'o.opened_at',
        endedAt: 'o.resolved_at',
        mayLeave: MAY_LEAVE,
        archive: 'timeline_archive',
        places: 'archived_timeline',
        sealed: true,
      }),
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
