import { StateConflict } from '@constancia/problem-json';
import type { CircuitStatus } from '../circuits/circuit.entity.ts';

/** Only published circuits are sent. */
export function notPublished(status: CircuitStatus): StateConflict {
  const then = status === 'draft' ? 'publish it first' : 'use the published version of its code';
  return new StateConflict(`The circuit is ${status}: ${then}.`, { status_of_circuit: status });
}
