import type { CircuitStatus } from '../envelopes/envelope-rows.ts';

/** clone makes a new draft and leaves the circuit as it is; deprecate happens by publishing another version. */
export const CIRCUIT_ACTIONS = ['upload_base_pdf', 'define', 'publish', 'clone', 'deprecate'] as const;
export type CircuitAction = (typeof CIRCUIT_ACTIONS)[number];

export interface CircuitTransition {
  from: CircuitStatus;
  action: CircuitAction;
  to: CircuitStatus;
}

/** Every transition that there is; what is not here is 409 state-conflict. */
export const CIRCUIT_TRANSITIONS: readonly CircuitTransition[] = [
  { from: 'draft', action: 'upload_base_pdf', to: 'draft' },
  { from: 'draft', action: 'define', to: 'draft' },
  { from: 'draft', action: 'publish', to: 'published' },
  { from: 'draft', action: 'clone', to: 'draft' },
  { from: 'published', action: 'clone', to: 'published' },
  { from: 'published', action: 'deprecate', to: 'deprecated' },
  { from: 'deprecated', action: 'clone', to: 'deprecated' },
];

export function circuitTransition(from: CircuitStatus, action: CircuitAction): CircuitTransition | undefined {
  return CIRCUIT_TRANSITIONS.find((transition) => transition.from === from && transition.action === action);
}

/** What a caller can do with a circuit, as a 409 answer lists it. */
export function allowedCircuitActions(status: CircuitStatus): CircuitAction[] {
  const ofStatus = CIRCUIT_TRANSITIONS.filter(({ from, action }) => from === status && action !== 'deprecate');
  return ofStatus.map(({ action }) => action);
}
