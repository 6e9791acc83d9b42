import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RECORD_ARCHIVE } from './1764000009410-archived-screenings.sql.ts';

/** A file without a digest of its rows is not recorded: `<>` let null pass. */
export class ArchivedRowsCompared1764000009720 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      RECORD_ARCHIVE.replace('create function', 'create or replace function').replace(
        'v_found.rows_sha256 <> p_rows',
        'v_found.rows_sha256 is distinct from p_rows',
      ),
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
