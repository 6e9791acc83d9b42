import { ApiResponse } from '@nestjs/swagger';

/** A JSON Schema (2020-12) of what operators get. */
export type AnswerSchema = Readonly<Record<string, unknown>>;

/** An answer of an operation on the ops listener, with the schema of its body. Refusals need no declaration. */
export function OpsAnswer(status: number, schema: AnswerSchema, description = 'Done.'): MethodDecorator {
  return ApiResponse({ status, description, schema: schema as never });
}

/** The schemas that answers are put together from. Every member of an object is there. */
export const answer = {
  text: { type: 'string', maxLength: 100_000 },
  instant: { type: 'string', format: 'date-time' },
  uuid: { type: 'string', format: 'uuid' },
  flag: { type: 'boolean' },
  whole: { type: 'integer' },
  number: { type: 'number' },
  /** Anything. */
  any: {},
  id: (prefix: string) => ({ type: 'string', pattern: `^${prefix}_[0-9a-z]{26}$` }),
  choice: (choices: readonly string[]) => ({ type: 'string', enum: [...choices] }),
  object: (properties: Readonly<Record<string, AnswerSchema>>) => ({
    type: 'object',
    required: Object.keys(properties),
    properties,
  }),
  map: (values: AnswerSchema) => ({ type: 'object', additionalProperties: values }),
  list: (items: AnswerSchema) => ({ type: 'array', items }),
  orNull: (schema: AnswerSchema) =>
    typeof schema.type === 'string' && schema.enum === undefined
      ? { ...schema, type: [schema.type, 'null'] }
      : { anyOf: [schema, { type: 'null' }] },
  /** A page of a list. */
  page: (row: AnswerSchema) =>
    answer.object({ data: answer.list(row), next_cursor: answer.orNull(answer.text) }) as AnswerSchema,
};

/** Lines of a story (libs/telemetry, StoryLine). */
export const TIMELINE = answer.list(
  answer.object({ at: answer.instant, where: answer.text, what: answer.text, detail: answer.text }),
);
