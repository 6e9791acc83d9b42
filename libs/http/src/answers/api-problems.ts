import { PROBLEMS, type ProblemSlug, shape } from '@constancia/contracts';
import { PROBLEM_LIMITS } from '@constancia/problem-json';
import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiSchema,
  getSchemaPath,
} from '@nestjs/swagger';

@ApiSchema({ name: 'FieldError' })
export class FieldErrorView {
  @ApiProperty({
    ...shape.text(PROBLEM_LIMITS.pointer),
    description: 'JSON Pointer into the body, or /query/…, /headers/…, /path/….',
    example: '/subject_ref',
  })
  pointer: string;

  @ApiProperty({ ...shape.word, description: 'Stable word for the broken rule.', example: 'required' })
  code: string;

  @ApiProperty({ ...shape.text(PROBLEM_LIMITS.detail), description: 'What to change.', example: 'Add this member.' })
  detail: string;

  @ApiPropertyOptional({
    ...shape.ruleCode,
    description: 'Of a rule set that does not lint: the code of the rule.',
    example: 'SARLAFT-AGE-001',
  })
  rule_code?: string;
}

/** A problem document (RFC 9457). Some problems carry further members. */
@ApiSchema({ name: 'Problem' })
export class ProblemView {
  @ApiProperty({
    format: 'uri',
    description: 'Address of a page that explains the problem; its last segment is the slug.',
  })
  type: string;

  @ApiProperty(shape.text(200))
  title: string;

  @ApiProperty({ ...shape.count(599, 400) })
  status: number;

  @ApiProperty({ ...shape.text(PROBLEM_LIMITS.detail), description: 'What to change, in a sentence.' })
  detail: string;

  @ApiProperty({ ...shape.text(65536), description: 'Path of the request.' })
  instance: string;

  @ApiProperty({
    pattern: '^[A-Za-z0-9_-]{8,64}$',
    description: 'As in X-Request-Id: quote it when you report the problem.',
  })
  request_id: string;

  @ApiPropertyOptional({
    maxItems: PROBLEM_LIMITS.errors,
    type: () => [FieldErrorView],
    description:
      'On validation-error: everything that is wrong, at once. On not-found: the member of the request that names an unknown object.',
  })
  errors?: FieldErrorView[];
}

/** What any operation may answer, whatever it does. */
const ALWAYS: ProblemSlug[] = ['rate-limit-exceeded', 'internal-error', 'database-unavailable', 'database-timeout'];

/** What any operation with a body may answer to it. */
export const BODY_PROBLEMS = [
  'validation-error', 'bad-request', 'payload-too-large', 'unsupported-media-type',
] as const satisfies ProblemSlug[]; // prettier-ignore

/** Documents the problems of an operation that needs an API key, beside those that every such operation may answer. */
export function ApiProblems(...slugs: ProblemSlug[]): MethodDecorator {
  return documented(['invalid-api-key', ...slugs, ...ALWAYS]);
}

/** Documents the problems of a public operation, beside those that every operation may answer. */
export function ApiPublicProblems(...slugs: ProblemSlug[]): MethodDecorator {
  return documented([...slugs, ...ALWAYS]);
}

function documented(slugs: ProblemSlug[]): MethodDecorator {
  const statuses = [...new Set(slugs.map((slug) => PROBLEMS[slug].status))].sort();
  return applyDecorators(
    ApiExtraModels(ProblemView, FieldErrorView),
    ...statuses.map((status) => problemResponse(status, slugs)),
  );
}

function problemResponse(status: number, slugs: ProblemSlug[]): MethodDecorator {
  const ofStatus = [...new Set(slugs)].filter((slug) => PROBLEMS[slug].status === status);
  return ApiResponse({
    status,
    description: ofStatus.map((slug) => `\`${slug}\`: ${PROBLEMS[slug].title}.`).join(' '),
    content: {
      'application/problem+json': {
        schema: { $ref: getSchemaPath(ProblemView) },
        examples: Object.fromEntries(ofStatus.map((slug) => [slug, { value: problemExample(slug) }])),
      },
    },
  });
}

/** A problem document as the API description shows it. */
export function problemExample(slug: ProblemSlug): ProblemView {
  const { title, status, help } = PROBLEMS[slug];
  return {
    type: `https://api.example.com/problems/${slug}`,
    title,
    status,
    detail: help,
    instance: '/v1/…',
    request_id: '019aa3c1-5e2f-7b1c-9f40-3d2a7c8e1b55',
    ...(slug === 'validation-error' && {
      errors: [{ pointer: '/subject_ref', code: 'required', detail: 'Add this member.' }],
    }),
  };
}
