import { uuidOf } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData, type TenantKeyring } from '@constancia/personal-data';
import { NotFound } from '@constancia/problem-json';
import type { Decision, SubjectType } from '@constancia/rule-graph';
import { Injectable } from '@nestjs/common';
import { archivedUntil, ArchivedScreenings } from './archive/archived-screenings.ts';
import type { ScreeningArchive } from './archive/screening-archive.entity.ts';
import type { Trigger } from './screening-history.ts';
import {
  type ListedScreening,
  type MaybeSealed,
  openScreening,
  type ScreeningRow,
  SEALED_FACTS,
  SEALED_RESULT,
} from './sealed-screening.ts';

/** The first page of a list, or the one after a cursor. */
export interface ScreeningFilter {
  decision?: Decision;
  validationCode?: string;
  subjectRef?: string;
  subjectType?: SubjectType;
  trigger?: Trigger;
  beforeId?: string;
  limit: number;
}

const LISTED = `id, tenant_id, validation_id, validation_code, validation_version, rules_hash, subject_ref, subject_type, trigger,
  request_id, decision, score, list_hits, result, list_versions, matcher_version, evaluator_version, case_id, credits_debited, created_at, ${SEALED_RESULT}`;

/** What the detail shows in addition. */
const DETAILS = `${SEALED_FACTS}, facts, dismissed, names_not_compared`;

/** The screenings of every tenant, as far as they are read. */
@Injectable()
export class Screenings {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly archived: ArchivedScreenings,
  ) {}

  /** One screening by its TypeID, archived or not. Throws NotFound, for another tenant's too, and DependencyUnavailable. */
  async find(tenantId: string, id: string): Promise<ScreeningRow> {
    return (await this.locate(tenantId, id)).row;
  }

  /** The same, and the file that it is archived in; null: it is in the database. */
  async locate(tenantId: string, id: string): Promise<{ row: ScreeningRow; archive: ScreeningArchive | null }> {
    const uuid = uuidOf('scr', id);
    if (uuid === null) throw new NotFound('No such screening.');
    const keyring = await this.personal.tenant(tenantId);
    const row = await this.database.tenant(tenantId, (tx) => screeningOf(tx, keyring, tenantId, uuid));
    if (row) return { row, archive: null };
    const [archived] = await this.archived.many(tenantId, [uuid]);
    if (archived) return archived;
    throw new NotFound('No such screening.');
  }

  /** Screenings by their UUIDs, archived or not, in no order. Throws DependencyUnavailable. */
  async many(tenantId: string, ids: readonly string[]): Promise<ListedScreening[]> {
    const keyring = await this.personal.tenant(tenantId);
    const rows = await this.database.tenant(tenantId, (tx) =>
      tx.query<ListedScreening & MaybeSealed>(
        `select ${LISTED} from compliance.screening c where tenant_id = $1 and id = any ($2)`,
        [tenantId, ids],
      ),
    );
    const there = new Set(rows.map(({ id }) => id));
    const archived = await this.archived.many(
      tenantId,
      ids.filter((id) => !there.has(id)),
    );
    return [...rows.map((row) => openScreening(keyring, row)), ...archived.map(({ row }) => row)];
  }

  /** The screening that was made for a request of the identity module, without its result; undefined when there is none. */
  async ofRequest(tenantId: string, requestId: string): Promise<Omit<ListedScreening, 'result'> | undefined> {
    const [row] = await this.database.tenant(tenantId, (tx) =>
      tx.query<ListedScreening>(
        `select ${LISTED} from compliance.screening c where tenant_id = $1 and request_id = $2`,
        [tenantId, requestId],
      ),
    );
    return row;
  }

  /** Newest first, without archived ones, and until when there are any. */
  async list(tenantId: string, filter: ScreeningFilter): Promise<{ rows: ListedScreening[]; archived: Date | null }> {
    const keyring = await this.personal.tenant(tenantId);
    return this.database.snapshot(tenantId, async (tx) => ({
      rows: await listedScreenings(tx, keyring, tenantId, filter),
      archived: await archivedUntil(tx, tenantId),
    }));
  }
}

/** A page of the list. */
export async function listedScreenings(
  tx: Tx,
  keyring: TenantKeyring,
  tenantId: string,
  filter: ScreeningFilter,
): Promise<ListedScreening[]> {
  const conditions: [column: string, value: unknown][] = [
    ['decision', filter.decision],
    ['validation_code', filter.validationCode],
    ['subject_ref', filter.subjectRef],
    ['subject_type', filter.subjectType],
    ['trigger', filter.trigger],
  ];
  const params: unknown[] = [tenantId, filter.limit];
  const where = ['tenant_id = $1'];
  for (const [column, value] of conditions) {
    if (value !== undefined) where.push(`${column} = $${params.push(value)}`);
  }
  if (filter.beforeId !== undefined) where.push(`id < $${params.push(filter.beforeId)}`);
  const rows = await tx.query<ListedScreening & MaybeSealed>(
    `select ${LISTED} from compliance.screening c where ${where.join(' and ')} order by id desc limit $2`,
    params,
  );
  return rows.map((row) => openScreening(keyring, row));
}

/** One screening by its UUID, with what was said of the subject; undefined when there is none. */
export async function screeningOf(
  tx: Tx,
  keyring: TenantKeyring,
  tenantId: string,
  id: string,
): Promise<ScreeningRow | undefined> {
  const [row] = await tx.query<ScreeningRow & MaybeSealed>(
    `select ${LISTED}, ${DETAILS} from compliance.screening c where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  return row && openScreening(keyring, row);
}

/** With what was said of the subjects, newest first. */
export async function detailedScreenings(
  tx: Tx,
  keyring: TenantKeyring,
  tenantId: string,
  { beforeId, limit }: { beforeId?: string; limit: number },
): Promise<ScreeningRow[]> {
  const rows = await tx.query<ScreeningRow & MaybeSealed>(
    `select ${LISTED}, ${DETAILS} from compliance.screening c
      where tenant_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [tenantId, beforeId ?? null, limit],
  );
  return rows.map((row) => openScreening(keyring, row));
}
