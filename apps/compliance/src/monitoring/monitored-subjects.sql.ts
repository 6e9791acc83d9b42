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
    tx.query<PackedBatch & { last: SubjectKey; count: number }>(
      `with batch as materialized (
         select validation_code, subject_type, subject_ref, screening_id, payload, sealed_payload
           from compliance.monitored_subject
          where tenant_id = $1
            and ($2::text is null or (validation_code, subject_type, subject_ref) > ($2, $3, $4))
            and ($5::timestamptz is null or screened_at >= $5)
          order by validation_code, subject_type, subject_ref
          limit $6
       )
       select json_build_array(array_agg(validation_code), array_agg(subject_type), array_agg(subject_ref), array_agg(screening_id),
                               array_agg(payload), array_agg(coalesce(length(sealed_payload), 0)))::text as subjects,
              coalesce(string_agg(sealed_payload, ''), '') as sealed,
              count(*) as count,
              json_build_object('validation_code', (array_agg(validation_code))[count(*)::int],
                                'subject_type', (array_agg(subject_type))[count(*)::int],
                                'subject_ref', (array_agg(subject_ref))[count(*)::int]) as last
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
  return { batch: { subjects, sealed }, last: count === 0 ? null : last, count };
}
