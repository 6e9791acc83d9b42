import type { Tx } from '@constancia/persistence';
import type { TenantKeyring } from '@constancia/personal-data';
import type { SubjectPayload, SubjectType } from '@constancia/rule-graph';
import { openMonitoredPayload } from '../screenings/sealed-screening.ts';
import type { ListedSubject } from './monitored-subject-view.ts';
import type { MonitoredSubject } from './monitored-subject.entity.ts';

export interface SubjectFilter {
  subjectRef?: string;
  subjectType?: SubjectType;
  validationCode?: string;
  order: 'asc' | 'desc';
  /** UUID of the screening that a page begins after, in its order. */
  after?: string;
}

type StoredSubject = Omit<ListedSubject, 'name'> & Pick<MonitoredSubject, 'payload' | 'sealed_payload'>;

/** The time of the first or of the last of the screenings of a monitored subject `m` by its code, archived ones too. */
const timeOf = (order: 'id' | 'id desc', condition = '') => {
  const of = (table: string) => `(select x.id, x.created_at from compliance.${table} x where x.tenant_id = m.tenant_id
    and x.subject_ref = m.subject_ref and x.subject_type = m.subject_type and x.validation_code = m.validation_code ${condition}
    order by ${order} limit 1)`;
  return `(select e.created_at from (${of('screening')} union all ${of('archived_screening')}) e order by ${order} limit 1)`;
};

/** Monitored subjects by their last screening, with it and with their open case. What is shown of a page alone is opened. */
export async function listedSubjects(
  tx: Tx,
  keyring: TenantKeyring,
  { tenantId, filter, limit }: { tenantId: string; filter: SubjectFilter; limit: number },
): Promise<ListedSubject[]> {
  const params: unknown[] = [tenantId, limit];
  const where = ['tenant_id = $1'];
  const conditions: [column: string, value: unknown][] = [
    ['subject_ref =', filter.subjectRef],
    ['subject_type =', filter.subjectType],
    ['validation_code =', filter.validationCode],
    [filter.order === 'asc' ? 'screening_id >' : 'screening_id <', filter.after],
  ];
  for (const [column, value] of conditions) if (value !== undefined) where.push(`${column} $${params.push(value)}`);
  const rows = await tx.query<StoredSubject>(
    `select m.validation_code, m.subject_type, m.subject_ref, m.payload, m.sealed_payload, m.screening_id, m.screened_at,
            s.decision, s.list_hits, s.list_versions,
            ${timeOf('id')} as since, ${timeOf('id desc', `and x.trigger = 'list_update'`)} as rescreened_at,
            (select c.id from compliance.review_case c
              where c.tenant_id = m.tenant_id and c.subject_ref = m.subject_ref and c.subject_type = m.subject_type
                and c.validation_code = m.validation_code and c.status <> 'resolved') as open_case_id
       from (select * from compliance.monitored_subject where ${where.join(' and ')}
              order by screening_id ${filter.order} limit $2) m
       join compliance.screening s on s.tenant_id = m.tenant_id and s.id = m.screening_id
      order by m.screening_id ${filter.order}`,
    params,
  );
  return rows.map(({ payload, sealed_payload, ...row }) => {
    const text = sealed_payload ? openMonitoredPayload(keyring, row.screening_id, sealed_payload) : payload;
    return { ...row, name: (JSON.parse(text) as SubjectPayload).full_name ?? null };
  });
}
