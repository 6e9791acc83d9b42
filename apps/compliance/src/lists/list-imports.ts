import { createHash } from 'node:crypto';
import type { ListCode } from '@constancia/reference-data';
import { uuidv7 } from '@constancia/kernel';
import { type ListFormat, MATCHER_VERSION, PARSER_VERSION } from '@constancia/name-screening';
import { Database, type Tx } from '@constancia/persistence';
import type { TenantKeyring } from '@constancia/personal-data';
import { Injectable } from '@nestjs/common';
import type { ListSize } from './import-guards.ts';
import type { ImportedFile, PreparedList } from './list-jobs.ts';
import { ListContents, type ListPart } from './list-contents.ts';
import { ListJobRunner } from './list-job-runner.ts';
import { FilesRefused } from './list-refused.ts';
import { listTransaction } from './list-rows.sql.ts';
import { LISTS_CHANNEL } from './lists-channel.ts';
import {
  activeVersion,
  announce,
  insertRefused,
  insertVersion,
  type ListOwner,
  lockList,
  nextVersionName,
  noteChecked,
  type VersionBefore,
} from './publish-version.sql.ts';
import { requestRescreens } from './request-rescreens.sql.ts';

export interface ListImport extends ListOwner {
  files: readonly ImportedFile[];
  /** Found out from the content by default. */
  format?: ListFormat;
  /** Who imports it: kept with the version. */
  operator: string;
  /** The files say what changed, not what is. */
  delta?: boolean;
  /** Accepts a list that shrinks, or that lost all of a kind. */
  force?: boolean;
  /** Whether a file that changes the list may replace this version; null: there is none. */
  mayReplace?: (version: string | null) => boolean;
  /** Only when the list has no version at all. */
  onlyFirst?: boolean;
  /** A file with no entry at all is a list with nobody on it, and not a broken file. */
  mayBeEmpty?: boolean;
  fictional?: boolean;
  /** Runs in the transaction that keeps the result of the import, a refusal included: both are kept, or neither. */
  beside?: (tx: Tx, came: ImportOutcome | FilesRefused) => Promise<void>;
}

/** The result of an import. */
export type ImportOutcome =
  | {
      outcome: 'activated';
      list: ListCode;
      version: string;
      size: ListSize;
      names: number;
      aliases: number;
      changes: PreparedList['changes'];
      warnings: PreparedList['warnings'];
      publishedAt: string | null;
    }
  /** The active version is this very file: there is nothing new. Or onlyFirst, and there is a version. */
  | { outcome: 'unchanged'; list: ListCode; version: string };

/** The list has another version than the one that was to be replaced. */
export class ListChanged extends Error {}

/** Stored instead of the detail of a refusal, which may quote a tenant's list. */
const NOT_KEPT = 'The detail is in the response to the tenant.';

/** What becomes a version: after which one, and what its contents are sealed with. */
interface Activation {
  before: VersionBefore | undefined;
  prepared: PreparedList;
  keyring: TenantKeyring | null;
}

/** Another import replaced the list while the file was read: the file is compared with the newer version. */
const REPLACED = Symbol('replaced');
const ATTEMPTS = 3;

/**
 * Imports lists: reads and builds beside the process's own work, then stores the version, makes it active, asks for the subjects
 * of the tenants to be screened again and announces it, all in one transaction. Whatever goes wrong before leaves the last good
 * version active.
 */
@Injectable()
export class ListImports {
  constructor(
    private readonly database: Database,
    private readonly contents: ListContents,
    private readonly jobs: ListJobRunner,
  ) {}

  /** Throws FilesRefused, after the refusal was kept, and what the store throws. */
  async run(request: ListImport): Promise<ImportOutcome> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.attempt(request);
      if (outcome !== REPLACED) return outcome;
      if (attempt === ATTEMPTS) throw new Error(`${request.list} is being imported by others again and again`);
    }
  }

  private async attempt(request: ListImport): Promise<ImportOutcome | typeof REPLACED> {
    const before = await this.within(request, (tx) => activeVersion(tx, request));
    if (before && request.onlyFirst) return { outcome: 'unchanged', list: request.list, version: before.version };
    const prepared = await this.prepare(request, before);
    // The same file again is a request whose answer was lost.
    if (prepared !== undefined && request.mayReplace?.(before?.version ?? null) === false) throw new ListChanged();
    const keyring = await this.contents.keyringFor(request.tenantId);
    return this.within(request, async (tx) => {
      await lockList(tx, request);
      if ((await activeVersion(tx, request))?.id !== before?.id) return REPLACED;
      if (prepared === undefined) {
        const same = before as VersionBefore;
        await noteChecked(tx, same.id);
        await announce(tx, LISTS_CHANNEL);
        const unchanged: ImportOutcome = { outcome: 'unchanged', list: request.list, version: same.version };
        await request.beside?.(tx, unchanged);
        return unchanged;
      }
      const activated = await this.activate(tx, request, { before, prepared, keyring });
      await request.beside?.(tx, activated);
      return activated;
    });
  }

  /** What importing it would change; nothing is kept. Throws FilesRefused. */
  async preview(request: ListImport): Promise<{ entries: number } & PreparedList['changes']> {
    const before = await this.within(request, (tx) => activeVersion(tx, request));
    const prepared = await this.compare(request, before);
    if (prepared === undefined) return { entries: before?.entries ?? 0, added: 0, changed: 0, removed: 0 };
    return { entries: prepared.size.entries, ...prepared.changes };
  }

  private async prepare(request: ListImport, before: VersionBefore | undefined): Promise<PreparedList | undefined> {
    try {
      return await this.compare(request, before);
    } catch (error) {
      if (error instanceof FilesRefused) await this.keepRefusal(request, error);
      throw error;
    }
  }

  private async compare(request: ListImport, before: VersionBefore | undefined): Promise<PreparedList | undefined> {
    const { list, tenantId, files, format = 'auto', delta = false, force = false, mayBeEmpty = false } = request;
    const packed = before && (await this.contents.read({ id: before.id, tenant_id: tenantId }, 'entries'));
    return this.jobs.prepare({
      list,
      files,
      format,
      delta,
      mayBeEmpty,
      // Nobody real is on a fictional list: what replaces it may be of any size.
      force: force || before?.fictional === true,
      ...(before && packed && { before: { ...comparable(before), packedEntries: packed } }),
    });
  }

  private async activate(
    tx: Tx,
    request: ListImport,
    { before, prepared, keyring }: Activation,
  ): Promise<ImportOutcome> {
    const { list, tenantId, operator, force = false, fictional = false } = request;
    const version = await nextVersionName(tx, request, prepared.sha256);
    const id = uuidv7();
    await insertVersion(tx, {
      id,
      previousId: before?.id ?? null,
      list,
      tenantId,
      version,
      prepared,
      operator,
      forced: force,
      fictional,
    });
    const key = { id, tenant_id: tenantId };
    const parts = { entries: prepared.packedEntries, changes: prepared.packedChanges, index: prepared.index };
    for (const [part, bytes] of Object.entries(parts) as [ListPart, Uint8Array | null | undefined][]) {
      if (bytes) await this.contents.write(tx, key, { part, bytes: Buffer.from(bytes), keyring });
    }
    await requestRescreens(tx, { list, tenantId, from: before?.id ?? null, to: id });
    await announce(tx, LISTS_CHANNEL);
    const { size, names, aliases, changes, warnings, publishedAt = null } = prepared;
    return { outcome: 'activated', list, version, size, names, aliases, changes, warnings, publishedAt };
  }

  private async keepRefusal(request: ListImport, refused: FilesRefused): Promise<void> {
    const { refusal, sha256 } = refused;
    const digest = sha256 ?? createHash('sha256').digest('hex');
    await this.within(request, async (tx) => {
      await lockList(tx, request);
      const version = await nextVersionName(tx, request, digest);
      const { list, tenantId, operator } = request;
      const kept = tenantId === null ? refusal : { ...refusal, detail: NOT_KEPT };
      await insertRefused(tx, { id: uuidv7(), list, tenantId, version, sha256: digest, operator, refusal: kept });
      await request.beside?.(tx, refused);
    });
  }

  private within<T>({ tenantId }: ListOwner, work: (tx: Tx) => Promise<T>): Promise<T> {
    return listTransaction(this.database, tenantId, work);
  }
}

/** The same file read by the same programs gives the same version; a newer parser may find more in it. */
function comparable(before: VersionBefore): { size: ListSize; sha256: string } {
  const same = before.parser_version === PARSER_VERSION && before.matcher_version === MATCHER_VERSION;
  return { size: { entries: before.entries, kinds: before.kinds }, sha256: same ? before.sha256.toString('hex') : '' };
}
