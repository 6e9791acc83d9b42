/** Why a graph is refused. */
export type LintErrorCode =
  | 'required'
  | 'wrong_type'
  | 'unknown_member'
  | 'duplicate_rule_code'
  | 'duplicate_node_id'
  | 'unknown_node_type'
  | 'unknown_predicate'
  | 'bad_value_type'
  | 'value_out_of_range'
  | 'unknown_country'
  | 'unknown_currency'
  | 'unknown_list'
  | 'dangling_edge'
  | 'self_loop'
  | 'cycle'
  | 'no_start'
  | 'no_action'
  | 'unreachable_node'
  | 'action_with_outgoing_edge'
  | 'duplicate_edge'
  | 'too_large';

/** What is probably not meant. */
export type LintWarningCode =
  | 'condition_without_edge'
  | 'action_decision_differs'
  | 'action_always_fires'
  | 'contradictory_chain'
  | 'amount_without_currency'
  | 'rule_subsumed';

/** `pointer`: a JSON Pointer into what was linted. `detail`: an English sentence that says what to change. */
export interface LintProblem<Code extends string = string> {
  pointer: string;
  code: Code;
  detail: string;
}

/** Everything that is wrong, at once. Errors forbid saving; warnings do not. */
export interface LintReport {
  errors: LintProblem<LintErrorCode>[];
  warnings: LintProblem<LintWarningCode>[];
}
