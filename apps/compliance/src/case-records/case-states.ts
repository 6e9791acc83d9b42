import type { Scope } from '@constancia/contracts';
import { actionsIn, type Transition, transitionIn } from '@constancia/kernel';

/** States of a case, in the order in which a case usually passes them. */
export const CASE_STATUSES = ['open', 'in_review', 'escalated', 'pending_approval', 'resolved'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

/** What a person may do with a case. */
export const CASE_ACTIONS = [
  'assign',
  'comment',
  'attach',
  'escalate',
  'resolve',
  'confirm',
  'return',
  'withdraw',
  'reopen',
] as const;
export type CaseAction = (typeof CASE_ACTIONS)[number];

/** The scope that each action needs. */
export const CASE_ACTION_SCOPES = {
  assign: 'compliance:cases',
  comment: 'compliance:cases',
  attach: 'compliance:cases',
  escalate: 'compliance:cases',
  resolve: 'compliance:cases',
  confirm: 'compliance:approve',
  return: 'compliance:approve',
  withdraw: 'compliance:cases',
  reopen: 'compliance:cases',
} as const satisfies Record<CaseAction, Scope>;

export interface CaseTransition extends Transition<CaseStatus, CaseAction> {
  /** Where the action leads instead when a second person has to agree. */
  toWithFourEyes?: CaseStatus;
}

/** Every transition that there is; what is not here is 409 state-conflict. */
export const CASE_TRANSITIONS: readonly CaseTransition[] = [
  { from: 'open', action: 'assign', to: 'in_review' },
  { from: 'open', action: 'comment', to: 'open' },
  { from: 'open', action: 'attach', to: 'open' },
  { from: 'open', action: 'escalate', to: 'escalated' },
  { from: 'open', action: 'resolve', to: 'resolved', toWithFourEyes: 'pending_approval' },
  { from: 'in_review', action: 'assign', to: 'in_review' },
  { from: 'in_review', action: 'comment', to: 'in_review' },
  { from: 'in_review', action: 'attach', to: 'in_review' },
  { from: 'in_review', action: 'escalate', to: 'escalated' },
  { from: 'in_review', action: 'resolve', to: 'resolved', toWithFourEyes: 'pending_approval' },
  { from: 'escalated', action: 'assign', to: 'escalated' },
  { from: 'escalated', action: 'comment', to: 'escalated' },
  { from: 'escalated', action: 'attach', to: 'escalated' },
  { from: 'escalated', action: 'resolve', to: 'resolved', toWithFourEyes: 'pending_approval' },
  { from: 'pending_approval', action: 'comment', to: 'pending_approval' },
  { from: 'pending_approval', action: 'attach', to: 'pending_approval' },
  { from: 'pending_approval', action: 'confirm', to: 'resolved' },
  { from: 'pending_approval', action: 'return', to: 'in_review' },
  { from: 'pending_approval', action: 'withdraw', to: 'in_review' },
  { from: 'resolved', action: 'reopen', to: 'open' },
];

/** The transition of an action in a state; undefined when the state does not allow it. */
export function transitionOf(from: CaseStatus, action: CaseAction): CaseTransition | undefined {
  return transitionIn(CASE_TRANSITIONS, from, action);
}

/** What can be done with a case in a state, as a 409 answer lists it. */
export function allowedActions(status: CaseStatus): CaseAction[] {
  return actionsIn(CASE_TRANSITIONS, status);
}

/** The table in Markdown, for the documentation of the API. */
export function transitionsTable(): string {
  const rows = CASE_TRANSITIONS.map(({ from, action, to, toWithFourEyes }) => {
    return `| ${from} | ${action} | ${to}${toWithFourEyes ? ` (with four eyes: ${toWithFourEyes})` : ''} |`;
  });
  return ['| State | Action | Next state |', '|---|---|---|', ...rows].join('\n');
}
