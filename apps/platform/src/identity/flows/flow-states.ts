import { actionsIn, type Transition, transitionIn } from '@constancia/kernel';

export const FLOW_STATUSES = ['draft', 'published', 'deprecated'] as const;
export type FlowStatus = (typeof FLOW_STATUSES)[number];

/** clone makes a new draft and leaves the flow as it is; deprecate happens by publishing the next version. */
export type FlowAction = 'change_steps' | 'publish' | 'clone' | 'deprecate';

/** Every transition that there is; what is not here is 409 state-conflict. */
export const FLOW_TRANSITIONS: readonly Transition<FlowStatus, FlowAction>[] = [
  { from: 'draft', action: 'change_steps', to: 'draft' },
  { from: 'draft', action: 'publish', to: 'published' },
  { from: 'draft', action: 'clone', to: 'draft' },
  { from: 'published', action: 'clone', to: 'published' },
  { from: 'published', action: 'deprecate', to: 'deprecated' },
  { from: 'deprecated', action: 'clone', to: 'deprecated' },
];

export const flowTransition = (from: FlowStatus, action: FlowAction) => transitionIn(FLOW_TRANSITIONS, from, action);

/** What a caller can do with a flow, as a 409 answer lists it. */
export function allowedFlowActions(status: FlowStatus): FlowAction[] {
  return actionsIn(FLOW_TRANSITIONS, status).filter((action) => action !== 'deprecate');
}
