import type { ListCode } from '@constancia/reference-data';
import { MATCHER_VERSION, PARSER_VERSION } from '@constancia/name-screening';
import type { Tx } from '@constancia/persistence';
import type { PreparedList } from './list-jobs.ts';
import type { Refusal } from './list-refused.ts';
import type { ListVersion } from './list-version.entity.ts';

/** Whose list: null is the operator. */
export interface ListOwner {
  list: ListCode;
  tenantId: string | null;
}

/** The active version as an import sees it. */
export type VersionBefore = Pick<
  ListVersion,
  'id' | 'version' | 'sha256' | 'matcher_version' | 'parser_version' | 'entries' | 'kinds' | 'fictional'
>;

export interface NewVersion extends ListOwner {
  id: string;
  version: string;
  /** What it takes the place of. */
  previousId: string | null;
  prepared: PreparedList;
  operator: string;
  forced: boolean;
  fictional: boolean;
}

export interface RefusedVersion extends ListOwner {
  id: string;
  version: string;
  /** Hex. */
  sha256: string;
  operator: string;
  refusal: Refusal;
}

/** Lets one import of a list end at a time; held until the transaction ends. */
export async function lockList(tx: Tx, { list, tenantId }: ListOwner): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`list ${list} ${tenantId ?? ''}`]);
}

export async function activeVersion(tx: Tx, { list, tenantId }: ListOwner): Promise<VersionBefore | undefined> {
  const [row] = await tx.query<VersionBefore>(
    `select id, version, sha256, matcher_version, parser_version, entries, kinds, fictional from compliance.list_version
      where list = $1 and tenant_id is not distinct from $2 and status = 'active'`,
    [list, tenantId],
  );
  return row;
}

/** Names the next version: how many imports there were, and of which file. `12-9f2c41aa`. */
export async function nextVersionName(tx: Tx, { list, tenantId }: ListOwner, sha256: string): Promise<string> {
  const [row] = await tx.query<{ nth: number }>(
    `select count(*) + 1 as nth from compliance.list_version where list = $1 and tenant_id is not distinct from $2`,
    [list, tenantId],
  );
  return `${row?.nth ?? 1}-${sha256.slice(0, 8)}`;
}

/** The same file again: nothing is new but that it was looked at. */
export async function noteChecked(tx: Tx, id: string): Promise<void> {
  await tx.query(`update compliance.list_version set checked_at = now() where id = $1`, [id]);
}

/** Puts the new version in the place of the active one. Its contents are written by the caller, in the same transaction. */
export async function insertVersion(tx: Tx, version: NewVersion): Promise<void> {
  const { prepared } = version;
  await tx.query(
    `update compliance.list_version set status = 'superseded', superseded_at = now()
      where list = $1 and tenant_id is not distinct from $2 and status = 'active'`,
    [version.list, version.tenantId],
  );
  await tx.query(
    `insert into compliance.list_version
       (id, list, tenant_id, version, status, source_format, sha256, files, parser_version, matcher_version, entries, names,
        aliases, kinds, added, changed, removed, warnings, published_at, operator, forced, fictional, previous_id)
     values ($1, $2, $3, $4, 'active', $5, decode($6, 'hex'), $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
    [
      version.id,
      version.list,
      version.tenantId,
      version.version,
      prepared.format,
      prepared.sha256,
      JSON.stringify(prepared.files),
      PARSER_VERSION,
      MATCHER_VERSION,
      prepared.size.entries,
      prepared.names,
      prepared.aliases,
      JSON.stringify(prepared.size.kinds),
      prepared.changes.added,
      prepared.changes.changed,
      prepared.changes.removed,
      JSON.stringify(prepared.warnings),
      prepared.publishedAt ?? null,
      version.operator,
      version.forced,
      version.fictional,
      version.previousId,
    ],
  );
}

/** Keeps that a file was refused, and why. */
export async function insertRefused(tx: Tx, version: RefusedVersion): Promise<void> {
  await tx.query(
    `insert into compliance.list_version
       (id, list, tenant_id, version, status, source_format, sha256, files, parser_version, matcher_version, entries, names,
        aliases, kinds, added, changed, removed, warnings, operator, forced, fictional, refusal)
     values ($1, $2, $3, $4, 'refused', '', decode($5, 'hex'), '[]', $6, $7, 0, 0, 0, '{}', 0, 0, 0, '[]', $8, false, false, $9)`,
    [
      version.id,
      version.list,
      version.tenantId,
      version.version,
      version.sha256,
      PARSER_VERSION,
      MATCHER_VERSION,
      version.operator,
      JSON.stringify(version.refusal),
    ],
  );
}

/** Last in the transaction: the clock's row stays locked until the commit, and the announcement goes out with it. */
export async function announce(tx: Tx, channel: string): Promise<void> {
  await tx.query(`update compliance.list_clock set ticks = ticks + 1`);
  await tx.query(`select pg_notify($1, '')`, [channel]);
}
