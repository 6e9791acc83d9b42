import type { Period } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import type { TenantKeyring } from '@constancia/personal-data';
import type { ListCode } from '@constancia/reference-data';
import type { CasePriority } from '../case-records/case-priority.ts';
import { type StoredCase, WRAPPED_KEY } from '../case-records/case-secrets.ts';
import type { CaseStatus } from '../case-records/case-states.ts';
import { nameWords } from '../case-records/name-words.ts';

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

/**
 * The newest cases that pass a filter. Their ids are found first, in the index of a filter (migration 1764000005222), so that only the rows
 * of the page are read, and sealed names opened.
 */
export function listedCases(
  tx: Tx,
  keyring: TenantKeyring,
  { tenantId, filter, limit }: { tenantId: string; filter: CaseFilter; limit: number },
): Promise<StoredCase[]> {
  const params: unknown[] = [tenantId, limit];
  const parameter: Parameter = (value) => `$${params.push(value)}`;
  const where = conditions(filter, parameter);
  const ids = searches(keyring, filter.q, parameter).map((search) => {
    const matching = `select r.id from compliance.review_case r where ${[...where, ...search].join(' and ')}`;
    return `(select id from (${matching} ${isOfOldCases(filter) ? FENCE : ''}) matching order by id desc limit $2)`;
  });
  return tx.query<StoredCase>(
    `select c.*, ${WRAPPED_KEY} from compliance.review_case c
      where c.tenant_id = $1 and c.id = any (array(${ids.join(' union ')})) order by c.id desc limit $2`,
    params,
  );
}

/** Takes a value as a parameter of the statement; answers what stands for it. */
type Parameter = (value: unknown) => string;

/**
 * Finds all that match before the newest of them are taken. Without it the planner reads the newest cases one by one until enough match,
 * and where old ones are asked for, that is nearly all.
 */
const FENCE = 'offset 0';

/** Whether a filter asks for cases whose age it bounds, not by the order of their ids. */
function isOfOldCases({ dueBefore, overdue }: CaseFilter): boolean {
  return dueBefore !== undefined || overdue === true;
}

/** An id is made with the case, in the request that opens it: a case may have a lower id than one that was opened so much before it. */
const OUT_OF_ORDER = `interval '1 hour'`;

/**
 * Cases of a period. Ids are bounded by those just outside of it, and times are compared by an expression: by the index of the times all of
 * a long period would be read and sorted.
 */
function ofPeriod({ from, to }: CaseFilter['opened'], parameter: Parameter): string[] {
  const where: string[] = [];
  const outside = (condition: string, order: 'asc' | 'desc') =>
    `(select o.id from compliance.review_case o where o.tenant_id = $1 and o.opened_at ${condition} order by o.opened_at ${order} limit 1)`;
  // A select of its own: row-level security lets no other expression with coalesce into the condition of an index.
  const bound = (id: string, otherwise: string) => `(select coalesce(${id}, ${otherwise}))`;
  if (from !== undefined) {
    const time = parameter(from);
    where.push(`r.opened_at + interval '0' >= ${time}`);
    where.push(`r.id > ${bound(outside(`< ${time}::timestamptz - ${OUT_OF_ORDER}`, 'desc'), LOWEST)}`);
  }
  if (to !== undefined) {
    const time = parameter(to);
    where.push(`r.opened_at + interval '0' < ${time}`);
    where.push(`r.id < ${bound(outside(`>= ${time}::timestamptz + ${OUT_OF_ORDER}`, 'asc'), HIGHEST)}`);
  }
  return where;
}

const LOWEST = `'00000000-0000-0000-0000-000000000000'::uuid`;
const HIGHEST = `'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`;

const OVERDUE = `(r.status <> 'resolved' and r.due_at <= now())`;

function conditions(filter: CaseFilter, parameter: Parameter): string[] {
  const compared: [column: string, value: unknown][] = [
    ['status =', filter.status],
    ['assignee =', filter.assignee],
    ['subject_ref =', filter.subjectRef],
    ['priority =', filter.priority],
    ['due_at <', filter.dueBefore],
    ['id <', filter.beforeId],
  ];
  const where = ['r.tenant_id = $1', ...ofPeriod(filter.opened, parameter)];
  for (const [column, value] of compared) if (value !== undefined) where.push(`r.${column} ${parameter(value)}`);
  if (filter.list !== undefined) where.push(hasTerm(parameter(filter.list)));
  if (filter.overdue !== undefined) where.push(filter.overdue ? OVERDUE : `not ${OVERDUE}`);
  if (filter.dueBefore !== undefined) where.push(`r.status <> 'resolved'`);
  if (filter.status !== undefined) where.push(`r.status ${filter.status === 'resolved' ? '=' : '<>'} 'resolved'`); // names the index
  return where;
}

const hasTerm = (term: string): string =>
  `exists (select from compliance.case_term t where t.tenant_id = $1 and t.term = ${term} and t.case_id = r.id)`;

/** What `q` may mean, each with its conditions; without it there is one that says nothing. */
function searches(keyring: TenantKeyring, q: string | undefined, parameter: Parameter): string[][] {
  if (q === undefined) return [[]];
  const caseId = uuidOf('cas', q);
  if (caseId) return [[`r.id = ${parameter(caseId)}`]];
  const words = nameWords(keyring, q).map((word) => hasTerm(parameter(word)));
  return [[`r.subject_ref = ${parameter(q)}`], ...(words.length > 0 ? [words] : [])];
}
