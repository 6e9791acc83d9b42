import { actionsIn, type Transition, transitionIn } from '@constancia/kernel';
import type { CircuitStatus } from './circuit.entity.ts';

/** clone makes a new draft and leaves the circuit as it is; discard deletes it; deprecate happens by publishing another version. */
export const CIRCUIT_ACTIONS = ['upload_base_pdf', 'define', 'publish', 'clone', 'discard', 'deprecate'] as const;
export type CircuitAction = (typeof CIRCUIT_ACTIONS)[number];

/** Every transition that there is; what is not here is 409 state-conflict. */
const CIRCUIT_TRANSITIONS: readonly Transition<CircuitStatus, CircuitAction>[] = [
  { from: 'draft', action: 'upload_base_pdf', to: 'draft' },
  { from: 'draft', action: 'define', to: 'draft' },
  { from: 'draft', action: 'publish', to: 'published' },
  { from: 'draft', action: 'clone', to: 'draft' },
  { from: 'draft', action: 'discard', to: 'draft' },
  { from: 'published', action: 'clone', to: 'published' },
  { from: 'published', action: 'deprecate', to: 'deprecated' },
  { from: 'deprecated', action: 'clone', to: 'deprecated' },
];

/** The transition of an action in a state; undefined when the state does not allow it. */
export const circuitTransition = (from: CircuitStatus, action: CircuitAction) =>
  transitionIn(CIRCUIT_TRANSITIONS, from, action);

/** What a caller can do with a circuit, as a 409 answer lists it. */
export function allowedCircuitActions(status: CircuitStatus): CircuitAction[] {
  return actionsIn(CIRCUIT_TRANSITIONS, status).filter((action) => action !== 'deprecate');
}
