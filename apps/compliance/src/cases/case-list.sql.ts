import { uuidOf } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import type { TenantKeyring } from '@constancia/personal-data';
import type { ListCode } from '@constancia/reference-data';
import type { CasePriority } from '../case-records/case-priority.ts';
import { type StoredCase, WRAPPED_KEY } from '../case-records/case-secrets.ts';
import type { CaseStatus } from '../case-records/case-states.ts';
import { nameWords } from '../case-records/name-words.ts';
import type { Period } from '../period.ts';

/** Which cases a page shows. What is left out does not matter. */
export interface CaseFilter {
  status?: CaseStatus;
  assignee?: string;
  subjectRef?: string;
  priority?: CasePriority;
  list?: ListCode;
  overdue?: boolean;
  dueBefore?: Date;
  opened: Period;
  /** A case id, a reference of a subject, or words of a name. */
  q?: string;
  beforeId?: string;
}

const OVERDUE = `(status <> 'resolved' and due_at <= now())`;

/**
 * The newest cases that pass a filter. Their ids are found in an index that has all columns of the filters (review_case_listed), so that
 * only the rows of the page are read, however rare they are.
 */
export function listedCases(
  tx: Tx,
  keyring: TenantKeyring,
  { tenantId, filter, limit }: { tenantId: string; filter: CaseFilter; limit: number },
): Promise<StoredCase[]> {
  const params: unknown[] = [tenantId, limit];
  const parameter = (value: unknown) => `$${params.push(value)}`;
  const where = ['tenant_id = $1', ...conditions(filter, parameter)];
  const matches =
    filter.q === undefined ? [[]] : searches(keyring, filter.q).map(([sql, value]) => [sql + parameter(value)]);
  const ids = matches.map(
    (match) =>
      `(select id from compliance.review_case where ${[...where, ...match].join(' and ')} order by id desc limit $2)`,
  );
  return tx.query<StoredCase>(
    `select c.*, ${WRAPPED_KEY} from compliance.review_case c
      where c.tenant_id = $1 and c.id = any (array(${ids.join(' union ')})) order by c.id desc limit $2`,
    params,
  );
}

function conditions(filter: CaseFilter, parameter: (value: unknown) => string): string[] {
  const compared: [column: string, value: unknown][] = [
    ['status =', filter.status],
    ['assignee =', filter.assignee],
    ['subject_ref =', filter.subjectRef],
    ['priority =', filter.priority],
    ['due_at <', filter.dueBefore],
    ['opened_at >=', filter.opened.from],
    ['opened_at <', filter.opened.to],
    ['id <', filter.beforeId],
  ];
  const where = compared.flatMap(([column, value]) => (value === undefined ? [] : [`${column} ${parameter(value)}`]));
  if (filter.list !== undefined) where.push(`${parameter(filter.list)} = any (list_hits)`);
  if (filter.overdue !== undefined) where.push(filter.overdue ? OVERDUE : `not ${OVERDUE}`);
  if (filter.status !== undefined && filter.status !== 'resolved') where.push(`status <> 'resolved'`); // names the index
  return where;
}

/** What `q` may mean, each with the value to compare with. */
function searches(keyring: TenantKeyring, q: string): [sql: string, value: unknown][] {
  const caseId = uuidOf('cas', q);
  if (caseId) return [['id = ', caseId]];
  const words = nameWords(keyring, q);
  return [['subject_ref = ', q], ...(words.length > 0 ? ([['name_words @> ', words]] as [string, unknown][]) : [])];
}
