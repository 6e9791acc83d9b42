export const FLOW_STATUSES = ['draft', 'published', 'deprecated'] as const;
export type FlowStatus = (typeof FLOW_STATUSES)[number];

/** clone makes a new draft and leaves the flow as it is; deprecate happens by publishing the next version. */
export const FLOW_ACTIONS = ['change_steps', 'publish', 'clone', 'deprecate'] as const;
export type FlowAction = (typeof FLOW_ACTIONS)[number];

export interface FlowTransition {
  from: FlowStatus;
  action: FlowAction;
  to: FlowStatus;
}

/** Every transition that there is; what is not here is 409 state-conflict. */
export const FLOW_TRANSITIONS: readonly FlowTransition[] = [
  { from: 'draft', action: 'change_steps', to: 'draft' },
  { from: 'draft', action: 'publish', to: 'published' },
  { from: 'draft', action: 'clone', to: 'draft' },
  { from: 'published', action: 'clone', to: 'published' },
  { from: 'published', action: 'deprecate', to: 'deprecated' },
  { from: 'deprecated', action: 'clone', to: 'deprecated' },
];

export function flowTransition(from: FlowStatus, action: FlowAction): FlowTransition | undefined {
  return FLOW_TRANSITIONS.find((transition) => transition.from === from && transition.action === action);
}

/** What a caller can do with a flow, as a 409 answer lists it. */
export function allowedFlowActions(status: FlowStatus): FlowAction[] {
  return FLOW_TRANSITIONS.filter(({ from, action }) => from === status && action !== 'deprecate').map(
    ({ action }) => action,
  );
}
