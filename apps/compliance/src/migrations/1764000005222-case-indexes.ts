import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Cases that were there before are found by list, and every filter of the list has an index. Apart from what changes the tables: this takes
 * its time with many cases, and screenings are read meanwhile. docs/guides/upgrade.md says how to build the indexes beforehand.
 */
export class CaseIndexes1764000005222 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [FILL_TERMS, INDEXES]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** The rows are locked: an erasure comes before, or takes the terms away afterwards. */
const FILL_TERMS = `
  with listed as materialized (
    select c.tenant_id, c.list_hits, c.id from compliance.review_case c
     where c.erasure_id is null and c.list_hits <> '{}' for share)
  insert into compliance.case_term (tenant_id, term, case_id)
  select l.tenant_id, unnest(l.list_hits), l.id from listed l on conflict do nothing`;

/** One for each filter; periods and lateness are read from an index alone, newest first, when they match many. */
const INDEXES = `
  create index if not exists review_case_listed on compliance.review_case (tenant_id, id) include (status, opened_at, due_at)
    where erasure_id is null;
  create index if not exists review_case_opened_first on compliance.review_case (tenant_id, opened_at, id)
    where erasure_id is null;
  create index if not exists review_case_due_first on compliance.review_case (tenant_id, due_at, id)
    where status <> 'resolved' and erasure_id is null;
  create index if not exists review_case_resolved on compliance.review_case (tenant_id, id)
    where status = 'resolved' and erasure_id is null;
  create index if not exists review_case_assigned on compliance.review_case (tenant_id, assignee, id) where erasure_id is null;
  create index if not exists review_case_priority on compliance.review_case (tenant_id, priority, id) where erasure_id is null;
  create index if not exists review_case_without_words on compliance.review_case (id)
    where name_words is null and erasure_id is null;
  drop index compliance.review_case_newest;
  drop index compliance.review_case_opened`;
