import type { components } from '@constancia/sdk/generated/compliance';
import type { Listing } from '../member/queries.ts';

type CaseRow = components['schemas']['CaseView'];
type Search = Partial<Record<'whose' | 'status' | 'priority' | 'list' | 'overdue' | 'lang', string>>;

/** Cases that match what the address holds; `q`: and what is searched, which may be a name. */
export function casesOf({ lang: _, ...filter }: Search, member: { name: string }, q = ''): Listing<CaseRow> {
  const { whose, status, priority, list, overdue } = filter;
  const query = {
    limit: 100,
    status: status as CaseRow['status'],
    priority: priority as CaseRow['priority'],
    list: list as CaseRow['list_hits'][number],
    assignee: whose === 'me' ? member.name : undefined,
    overdue: overdue === undefined ? undefined : overdue === 'true',
    q: q === '' ? undefined : q,
  };
  return {
    key: ['cases', filter, q],
    load: ({ compliance }, cursor) => compliance.GET('/v1/cases', { params: { query: { ...query, cursor } } }),
  };
}
