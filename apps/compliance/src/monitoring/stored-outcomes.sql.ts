import type { ListCode } from '@constancia/reference-data';
import type { Database } from '@constancia/persistence';
import type { TenantKeyring } from '@constancia/personal-data';
import type { SubjectPayload } from '@constancia/rule-graph';
import type { ScreeningOutcome } from '../screenings/assess.ts';
import {
  type MaybeSealed,
  openMonitoredPayload,
  openScreening,
  SEALED_RESULT,
} from '../screenings/sealed-screening.ts';
import type { ConcernedSubject } from './concern-jobs.ts';
import type { MonitoredSubject } from './monitored-subject.entity.ts';
import type { SubjectKey } from './rescreen-job.entity.ts';
import type { ClaimedJob } from './rescreen-jobs.ts';

/** The store, and what opens its rows of one tenant. */
export interface OpenedStore {
  database: Database;
  keyring: TenantKeyring;
}

/** The outcomes of screenings, by UUID. */
export async function storedOutcomes(
  { database, keyring }: OpenedStore,
  tenantId: string,
  subjects: readonly Pick<ConcernedSubject, 'screening_id'>[],
): Promise<Map<string, ScreeningOutcome>> {
  const rows = await database.tenant(tenantId, (tx) =>
    tx.query<{ id: string; result: string } & MaybeSealed>(
      `select id, result, ${SEALED_RESULT} from compliance.screening c where tenant_id = $1 and id = any ($2)`,
      [tenantId, subjects.map(({ screening_id }) => screening_id)],
    ),
  );
  const opened = rows.map((row) => openScreening(keyring, row));
  return new Map(opened.map(({ id, result }) => [id, JSON.parse(result) as ScreeningOutcome]));
}

/** A subject as it is watched at this moment. */
export async function watchedSubject(
  { database, keyring }: OpenedStore,
  tenantId: string,
  { validation_code, subject_type, subject_ref }: SubjectKey,
): Promise<ConcernedSubject | undefined> {
  const [row] = await database.tenant(tenantId, (tx) =>
    tx.query<Pick<MonitoredSubject, 'screening_id' | 'payload' | 'sealed_payload'>>(
      `select screening_id, payload, sealed_payload from compliance.monitored_subject
        where tenant_id = $1 and validation_code = $2 and subject_type = $3 and subject_ref = $4`,
      [tenantId, validation_code, subject_type, subject_ref],
    ),
  );
  if (!row) return undefined;
  const { sealed_payload, screening_id } = row;
  const text = sealed_payload ? openMonitoredPayload(keyring, screening_id, sealed_payload) : row.payload;
  const payload = JSON.parse(text) as SubjectPayload;
  return { validation_code, subject_type, subject_ref, screening_id, payload };
}

/** Whether a version of a list is the one that a job leads to, or came after it. */
export async function reaches(database: Database, job: ClaimedJob, versionId: string | undefined): Promise<boolean> {
  if (versionId === undefined) return false;
  if (versionId === job.to_version) return true;
  const [row] = await database.tenant(job.tenant_id, (tx) =>
    tx.query<{ reached: boolean }>(
      `select v.imported_at > t.imported_at as reached from compliance.list_version v, compliance.list_version t
        where v.id = $1 and t.id = $2`,
      [versionId, job.to_version],
    ),
  );
  return row?.reached ?? false;
}

/** For the message of a list that this process does not have. */
export const nameOf = ({ list, own }: { list: ListCode; own: boolean }): string =>
  own ? `the tenant's own ${list}` : list;
