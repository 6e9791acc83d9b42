import { ListIndex, type ListEntry } from '@constancia/name-screening';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { fatfStatuses } from './fatf-statuses.ts';
import { unpackEntries } from './entry-lines.ts';
import { ListContents } from './list-contents.ts';
import { ListJobRunner } from './list-job-runner.ts';
import { type ActiveList, listTransaction } from './list-rows.sql.ts';
import type { LoadedList } from './pinned-lists.ts';

/** The stored builds of list versions: what a process loads instead of reading the list's file. */
@Injectable()
export class ListBuilds {
  constructor(
    private readonly database: Database,
    private readonly contents: ListContents,
    private readonly jobs: ListJobRunner,
  ) {}

  /**
   * The index of a stored version. One that another version of the matcher built is built again from the stored entries, beside
   * the thread that answers requests, and kept for the other processes. Throws when the version's contents are not there.
   */
  async load(row: ActiveList): Promise<LoadedList> {
    if (row.list === 'FATF') return { row, index: null, fatf: fatfStatuses(await this.entries(row)) };
    const bytes = (await this.contents.read(row, 'index')) ?? (await this.rebuild(row));
    return { row, index: ListIndex.read(bytes) };
  }

  /** Everybody and everything on a stored version. */
  async entries(row: ActiveList): Promise<ListEntry[]> {
    return unpackEntries(await this.packedEntries(row));
  }

  private async packedEntries(row: ActiveList): Promise<Buffer> {
    const packed = await this.contents.read(row, 'entries');
    if (packed) return packed;
    throw new Error(`version ${row.version} of ${row.list} has no stored entries`);
  }

  private async rebuild(row: ActiveList): Promise<Buffer> {
    const built = await this.jobs.build({ list: row.list, packedEntries: await this.packedEntries(row) });
    const keyring = await this.contents.keyringFor(row.tenant_id);
    await listTransaction(this.database, row.tenant_id, (tx) =>
      this.contents.write(tx, row, { part: 'index', bytes: built, keyring }),
    );
    return built;
  }
}
