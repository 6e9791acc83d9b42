import type { ListCode } from '@constancia/reference-data';

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
