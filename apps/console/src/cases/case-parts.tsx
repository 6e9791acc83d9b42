import type { components } from '@constancia/sdk/generated/compliance';
import { State } from '@constancia/web';
import { useCaseText } from './text/language.ts';

export type CaseRow = components['schemas']['CaseView'];
export type Dossier = components['schemas']['CaseDossierView'];

/** States in which a case can be assigned; in others the API refuses it. */
export const ASSIGNABLE: readonly CaseRow['status'][] = ['open', 'in_review', 'escalated'];

const STATUS_KINDS = {
  open: 'wait',
  in_review: 'wait',
  escalated: 'bad',
  pending_approval: 'wait',
  resolved: 'good',
} as const;
const PRIORITY_KINDS = { low: 'good', medium: 'wait', high: 'bad', critical: 'bad' } as const;

export function CaseStatus({ of: { status } }: { of: Pick<CaseRow, 'status'> }) {
  const { words } = useCaseText();
  return <State kind={STATUS_KINDS[status]}>{words.statuses[status]}</State>;
}

export function CasePriority({ of: { priority } }: { of: Pick<CaseRow, 'priority'> }) {
  const { words } = useCaseText();
  return <State kind={PRIORITY_KINDS[priority]}>{words.priorities[priority]}</State>;
}

/** When it has to be decided; what is overdue, or was decided late, says so. `brief`: the days without the times. */
export function CaseDue({ of: { due_at, overdue, resolution }, brief }: { of: CaseRow; brief?: boolean }) {
  const { words, clock, dayOf } = useCaseText();
  const shown = brief === true ? dayOf : clock;
  const isLate = resolution !== null && resolution.resolved_at > due_at;
  return (
    <span>
      {shown(due_at)} {overdue && <State kind="bad">{words.isOverdue}</State>}
      {isLate && <State kind="wait">{words.isLate}</State>}
    </span>
  );
}
