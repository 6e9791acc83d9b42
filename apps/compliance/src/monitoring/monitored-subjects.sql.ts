import type { Database } from '@constancia/persistence';
import type { PackedBatch } from './concern-jobs.ts';
import type { SubjectKey } from './rescreen-job.entity.ts';
import type { ClaimedJob } from './rescreen-jobs.ts';

/** Screenings of the late pass: those that may have begun before the version changed. */
const BEGUN_BEFORE_SECONDS = 60;

/** The next subjects of a tenant in the order of their key, packed. Neither the driver nor the thread that answers requests looks into them. */
export async function nextSubjects(
  database: Database,
  job: ClaimedJob,
  after: SubjectKey | null,
  limit: number,
): Promise<{ batch: PackedBatch; last: SubjectKey | null; count: number }> {
  const since = job.pass === 'late' ? new Date(job.requested_at.getTime() - BEGUN_BEFORE_SECONDS * 1000) : null;
  const [row] = await database.tenant(job.tenant_id, (tx) =>
    tx.query<PackedBatch & { last: SubjectKey | null; count: number }>(
      `with batch as materialized (
         select validation_code, subject_type, subject_ref, screening_id, payload, sealed_payload
           from compliance.monitored_subject
          where tenant_id = $1
            and ($2::text is null or (validation_code, subject_type, subject_ref) > ($2, $3, $4))
            and ($5::timestamptz is null or screened_at >= $5)
          order by validation_code, subject_type, subject_ref
          limit $6
       )
       select coalesce(json_agg(json_build_array(validation_code, subject_type, subject_ref, screening_id, payload,
                                                 coalesce(length(sealed_payload), 0)))::text, '[]') as subjects,
              coalesce(string_agg(sealed_payload, ''), '') as sealed,
              count(*) as count,
              (select json_build_object('validation_code', validation_code, 'subject_type', subject_type, 'subject_ref', subject_ref)
                 from batch order by validation_code desc, subject_type desc, subject_ref desc limit 1) as last
         from batch`,
      [
        job.tenant_id,
        after?.validation_code ?? null,
        after?.subject_type ?? null,
        after?.subject_ref ?? null,
        since,
        limit,
      ],
    ),
  );
  const { subjects = '[]', sealed = Buffer.alloc(0), last = null, count = 0 } = row ?? {};
  return { batch: { subjects, sealed }, last, count };
}
