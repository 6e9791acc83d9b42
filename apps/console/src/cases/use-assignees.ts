import type { Apis } from '../api/apis.ts';
import { useMay, useSignedIn } from '../member/member.tsx';
import { useRecord } from '../member/queries.ts';
import { assigneeNames } from './assignees.ts';
import { useCaseText } from './text/language.ts';

/** A page of the list of members. */
const MOST_MEMBERS = 100;

const loadMembers = ({ platform }: Apis) =>
  platform.GET('/v1/members', { params: { query: { limit: MOST_MEMBERS, status: 'active' } } });

/** To whom cases can be assigned: oneself first, then nobody, then the others; and why somebody may be missing. */
export function useAssignees() {
  const { words, number } = useCaseText();
  const { member } = useSignedIn().view;
  const may = useMay();
  const mayList = may('members:write') || may('audit:read');
  const stats = useRecord(['cases', 'stats'], ({ compliance }) => compliance.GET('/v1/cases/stats'));
  const members = useRecord(['members', 'active'], loadMembers, undefined, mayList);
  const holders = Object.keys(stats.data?.by_assignee ?? {});
  const others = assigneeNames(holders, members.data?.data ?? []).filter((name) => name !== member.name);
  const options: [value: string, text: string][] = [
    [member.name, words.bulk.me(member.name)],
    ['', words.nobody],
    ...others.map((name): [string, string] => [name, name]),
  ];
  const isCut = (members.data?.next_cursor ?? null) !== null;
  const hint = !mayList
    ? words.bulk.onlyHolders
    : isCut
      ? words.bulk.firstMembers(number(MOST_MEMBERS))
      : words.bulk.whoMay;
  return { options, hint, failed: [stats, members].find(({ error }) => error !== null) };
}
