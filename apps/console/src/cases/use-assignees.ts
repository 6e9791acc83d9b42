import type { Apis } from '../api/apis.ts';
import { useMay, useSignedIn } from '../member/member.tsx';
import { useAllRecords, useRecord } from '../member/queries.ts';
import { assigneeNames } from './assignees.ts';
import { useCaseText } from './text/language.ts';

const loadMembers = ({ platform }: Apis, cursor: string | undefined) =>
  platform.GET('/v1/members', { params: { query: { limit: 100, status: 'active', cursor } } });

/** To whom cases can be assigned: oneself first, then nobody, then the others; and why somebody may be missing. */
export function useAssignees() {
  const { words } = useCaseText();
  const { member } = useSignedIn().view;
  const may = useMay();
  const mayList = may('members:write') || may('audit:read');
  const stats = useRecord(['cases', 'stats'], ({ compliance }) => compliance.GET('/v1/cases/stats'));
  const members = useAllRecords(['members', 'active'], loadMembers, mayList);
  const holders = Object.keys(stats.data?.by_assignee ?? {});
  const others = assigneeNames(holders, members.data ?? []).filter((name) => name !== member.name);
  const options: [value: string, text: string][] = [
    [member.name, words.bulk.me(member.name)],
    ['', words.nobody],
    ...others.map((name): [string, string] => [name, name]),
  ];
  const hint = mayList ? words.bulk.whoMay : words.bulk.onlyHolders;
  return { options, hint, failed: [stats, members].find(({ error }) => error !== null) };
}
