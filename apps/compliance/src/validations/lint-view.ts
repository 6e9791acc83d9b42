import { shape } from '@constancia/contracts';
import type { LintReport } from '@constancia/rule-graph';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** Enough to work through; what is left is reported the next time. */
export const MOST_PROBLEMS = 1_000;

@ApiSchema({ name: 'LintProblem' })
export class LintProblemView {
  @ApiProperty({
    ...shape.text(1000),
    description: 'JSON Pointer into what was linted.',
    example: '/0/definition/edges/1',
  })
  pointer: string;

  @ApiProperty({ ...shape.word, description: 'Stable word.', example: 'dangling_edge' })
  code: string;

  @ApiProperty({
    ...shape.text(2000),
    description: 'What to change.',
    example: 'The edge leads to a node that does not exist.',
  })
  detail: string;

  @ApiProperty({
    ...shape.ruleCode,
    type: 'string',
    nullable: true,
    description: 'The rule that it is about; null: the rules as a whole.',
    example: 'SARLAFT-PEP-001',
  })
  rule_code: string | null;
}

/** The code of the rule that a pointer leads into; null: the finding is about all of them. */
function ruleCodeAt(pointer: string, ruleCodes: readonly string[]): string | null {
  const index = /^\/(\d+)(\/|$)/.exec(pointer)?.[1];
  return index === undefined ? null : (ruleCodes[Number(index)] ?? null);
}

@ApiSchema({ name: 'LintReport' })
export class LintView {
  /** The first thousand of each. `ruleCodes`: of the rules that were linted, in their order. */
  static of({ errors, warnings }: LintReport, ruleCodes: readonly string[]): LintView {
    const viewed = (problems: LintReport['errors'] | LintReport['warnings']): LintProblemView[] =>
      problems
        .slice(0, MOST_PROBLEMS)
        .map((problem) => ({ ...problem, rule_code: ruleCodeAt(problem.pointer, ruleCodes) }));
    return { errors: viewed(errors), warnings: viewed(warnings) };
  }

  @ApiProperty({ maxItems: MOST_PROBLEMS, type: () => [LintProblemView], description: 'What forbids publishing.' })
  errors: LintProblemView[];

  @ApiProperty({ maxItems: MOST_PROBLEMS, type: () => [LintProblemView], description: 'What is probably not meant.' })
  warnings: LintProblemView[];
}
