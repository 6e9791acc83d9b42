export { DECISIONS, SUBJECT_TYPES } from './rule.ts';
export type {
  ActionNode,
  ConditionNode,
  Decision,
  GraphEdge,
  GraphNode,
  Rule,
  RuleDefinition,
  SubjectType,
} from './rule.ts';
export { FATF_STATUSES, PARTY_MEMBERS, PARTY_ROLES } from './facts.ts';
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
export type { DataGap, Evaluation, Finding, GapKind } from './evaluation.ts';
export type { LintErrorCode, LintProblem, LintReport, LintWarningCode } from './lint/lint-report.ts';
export type { CompiledValidation } from './compile/compiled-validation.ts';
export type { Needs } from './needs.ts';
export type { BilingualText, CatalogueFilter, RuleTemplate } from './rule-template.ts';
export { DEFINITION_LIMITS } from './lint/parse-definition.ts';
export { lintDefinition, lintRule, lintRules } from './lint/lint.ts';
export { EVALUATOR_VERSION, RulesInvalid, compileValidation } from './compile/compile-validation.ts';
export { PREDICATE_NAMES, predicateReference } from './predicates/predicates.ts';
export type { PredicateEntry, PredicateName } from './predicates/predicates.ts';
export { catalogue } from './sarlaft-catalogue.ts';
