import type { ListCode } from '@constancia/kernel';
import type { Evaluation } from '../evaluation.ts';
import type { Facts } from '../facts.ts';

/** What the rules look at beyond the payload, so that a caller gathers no more than that. */
export interface Needs {
  /** Lists that conditions on the subject's own matches name; FATF is by country. */
  lists: ListCode[];
  /** Lists that conditions on related parties name. */
  relatedLists: ListCode[];
  /** Some rule asks for FATF status: of the subject's country, or of a related party's. */
  fatf: boolean;
  /** How many days of earlier decisions and screenings the rules look back; 0: none. */
  decisionDays: number;
  screeningDays: number;
}

/** A rule set ready to run. Immutable: cache it by validation, version and hash of its rules. */
export interface CompiledValidation {
  readonly needs: Needs;
  /** Pure and synchronous. Never throws on facts of the declared shape, whatever the payload holds. */
  evaluate(facts: Facts): Evaluation;
}
