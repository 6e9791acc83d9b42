import type { Evaluation } from '../evaluation.ts';
import type { Facts } from '../facts.ts';
import type { Needs } from '../needs.ts';

/** A rule set ready to run. Immutable: cache it by validation, version and hash of its rules. */
export interface CompiledValidation {
  readonly needs: Needs;
  /** Pure and synchronous. Never throws on facts of the declared shape, whatever the payload holds. */
  evaluate(facts: Facts): Evaluation;
}
