import type { Decision, Rule, RuleDefinition, SubjectType } from './rule.ts';

export interface BilingualText {
  es: string;
  en: string;
}

/** A rule of the catalogue. */
export interface RuleTemplate {
  code: string;
  group: 'sarlaft';
  subject_type: SubjectType | 'both';
  severity: Decision;
  /** What the action adds. */
  score: number;
  description: BilingualText;
  legal_basis: BilingualText;
  definition: RuleDefinition;
}

/** Which templates: those of one kind of subject include the ones for both; `both`, or left out, is all of them. */
export interface CatalogueFilter {
  subjectType?: Rule['subject_type'];
  group?: string;
}
