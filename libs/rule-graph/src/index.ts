export { DECISIONS, SUBJECT_TYPES } from './rule.ts';
export type { Decision, Rule, RuleDefinition, SubjectType } from './rule.ts';
export { PARTY_MEMBERS, PARTY_ROLES } from './facts.ts';
export type {
  Facts,
  FatfStatus,
  ListMatch,
  ListMatches,
  PartyRole,
  RelatedParty,
  SubjectHistory,
  SubjectPayload,
} from './facts.ts';
export { gapsOnce } from './evaluation.ts';
export type { DataGap, Evaluation, Finding } from './evaluation.ts';
export type { LintReport } from './lint/lint-report.ts';
export type { CompiledValidation } from './compile/compiled-validation.ts';
export type { Needs } from './needs.ts';
export type { RuleTemplate } from './rule-template.ts';
export { DEFINITION_LIMITS } from './lint/parse-definition.ts';
export { lintRule, lintRules } from './lint/lint.ts';
export { EVALUATOR_VERSION, compileValidation } from './compile/compile-validation.ts';
export { PREDICATE_NAMES, predicateReference } from './predicates/predicates.ts';
export { catalogue } from './sarlaft-catalogue.ts';
export { ruleText } from './rule-text.ts';
