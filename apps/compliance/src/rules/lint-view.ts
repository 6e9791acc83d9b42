import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'LintProblem' })
export class LintProblemView {
  @ApiProperty({ description: 'JSON Pointer into what was linted.', example: '/0/definition/edges/1' })
  pointer: string;

  @ApiProperty({ description: 'Stable word.', example: 'dangling_edge' })
  code: string;

  @ApiProperty({ description: 'What to change.', example: 'The edge leads to a node that does not exist.' })
  detail: string;
}

@ApiSchema({ name: 'LintReport' })
export class LintView {
  @ApiProperty({ type: () => [LintProblemView], description: 'What forbids publishing.' })
  errors: LintProblemView[];

  @ApiProperty({ type: () => [LintProblemView], description: 'What is probably not meant.' })
  warnings: LintProblemView[];
}
