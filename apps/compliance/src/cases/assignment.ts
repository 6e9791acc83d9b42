import type { CaseTransition } from '../case-records/case-states.ts';
import type { CaseChange, LockedCase } from './cases.ts';

/** What an assignment does to a case whose row is locked: the same assignee again does nothing; null takes it from its assignee. */
export function assignment(
  found: LockedCase,
  transition: CaseTransition,
  { assignee, actor }: { assignee: string | null; actor: string },
): CaseChange | null {
  if (found.assignee === assignee) return null;
  const { status: from } = found;
  const to = assignee === null ? from : transition.to;
  const data = { assignee, previous: found.assignee };
  const type = assignee === null ? 'unassigned' : 'assigned';
  return {
    columns: { assignee, status: to },
    events: [{ type, actor, from, to, data }],
    ...(assignee !== null && { notification: { kind: 'case_assigned', assignee } }),
  };
}
