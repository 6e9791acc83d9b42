import { shape } from '@constancia/contracts';
import type { LintReport } from '@constancia/rule-graph';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** Enough to work through; what is left is told the next time. */
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
}

@ApiSchema({ name: 'LintReport' })
export class LintView {
  /** The first thousand of each. */
  static of({ errors, warnings }: LintReport): LintView {
    return { errors: errors.slice(0, MOST_PROBLEMS), warnings: warnings.slice(0, MOST_PROBLEMS) };
  }

  @ApiProperty({ maxItems: MOST_PROBLEMS, type: () => [LintProblemView], description: 'What forbids publishing.' })
  errors: LintProblemView[];

  @ApiProperty({ maxItems: MOST_PROBLEMS, type: () => [LintProblemView], description: 'What is probably not meant.' })
  warnings: LintProblemView[];
}
