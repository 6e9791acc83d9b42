import type { DocumentedApp } from './apps.ts';
import type { ApiDocument } from './complete.ts';
import type { ApiResponse, Operation, PathItem } from './operation.ts';
import { closeBody, sorted } from './complete.ts';
import { describedRoutes } from './document.ts';
import { only } from './reachable.ts';

const DESCRIPTION =
  'The operators’ API of the three apps, each on its ops port (never on a public address). For `npm run ops`, the operators’ page and ' +
  'runbooks; not part of the published interface. GET /ops of a process lists what it offers. A refusal is `{"error": "…"}`.';
const TITLES = { platform: 'Platform', compliance: 'Compliance', signing: 'Signing' } as const;
const SEVERAL = 'Several apps';
/** What any operation may refuse with. */
const REFUSALS = [400, 401, 403, 404, 409, 413, 422, 429, 500, 503];

/** The OpenAPI 3.1 document of the operators' API. A path that several apps serve is described once, with the answers of each. */
export async function opsDocument(apps: readonly DocumentedApp[]): Promise<ApiDocument> {
  const paths: Record<string, PathItem> = {};
  const schemas: ApiDocument['components']['schemas'] = {};
  for (const app of apps) {
    const { raw, marks } = await describedRoutes(app, (_, method) => method);
    for (const [path, item] of Object.entries(raw.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (marks.get(`${method} ${path}`)?.ops === undefined) continue;
        closeBody(operation, raw.components.schemas);
        const known = (paths[path] ??= {})[method];
        paths[path][method] = known ? merged(known, operation) : complete(operation, TITLES[app.name], path);
      }
    }
    Object.assign(schemas, raw.components.schemas);
  }
  const responses = { Refusal: refusal(), TooManyWrongTokens: { ...refusal(), headers: RETRY_AFTER } };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Constancia: operators',
      description: DESCRIPTION,
      version: '1',
      contact: { name: 'The operator of the process' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The ops port of a process.', 'x-internal': true }],
    tags: [...Object.values(TITLES), SEVERAL].flatMap((name) =>
      usesTag(paths, name)
        ? [{ name, description: name === SEVERAL ? 'Each answers for itself.' : `Of ${name}.` }]
        : [],
    ),
    paths: sorted(paths),
    components: {
      securitySchemes: {
        OperatorToken: { type: 'http', scheme: 'bearer', description: 'OPS_TOKENS_FILE has one for each operator.' },
      },
      responses,
      schemas: only(schemas, paths),
    },
  };
}

const RETRY_AFTER = { 'Retry-After': { required: true, description: 'Seconds to wait.', schema: { type: 'integer' } } };

function refusal(): ApiResponse {
  const schema = { type: 'object', required: ['error'], properties: { error: { type: 'string', maxLength: 2_000 } } };
  return { description: 'Refused: `error` says why.', content: { 'application/json': { schema } } };
}

function complete(operation: Operation, tag: string, path: string): Operation {
  const refusals = Object.fromEntries(
    REFUSALS.filter((status) => operation.responses[status] === undefined).map((status) => [
      String(status),
      { $ref: `#/components/responses/${status === 429 ? 'TooManyWrongTokens' : 'Refusal'}` },
    ]),
  );
  const pathParameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  for (const parameter of pathParameters) parameter.schema = { type: 'string', maxLength: 100 };
  if (pathParameters.length > path.split('{').length) throw new Error(`${path} declares a parameter that it lacks`);
  return {
    ...operation,
    tags: [tag],
    security: [{ OperatorToken: [] }],
    responses: { ...operation.responses, ...refusals },
  };
}

/** The same operation of another app. */
function merged(known: Operation, operation: Operation): Operation {
  const schemaOf = ({ responses }: Operation) => responses['200']?.content?.['application/json']?.schema;
  const alternatives = [schemaOf(known), schemaOf(operation)].flatMap((schema) =>
    schema && typeof schema === 'object' && 'anyOf' in schema ? (schema.anyOf as object[]) : [schema as object],
  );
  const distinct = new Map(alternatives.map((schema) => [JSON.stringify(schema), schema]));
  const summaries = new Set([...(known.summary ?? '').split('; or '), operation.summary]);
  const content = {
    'application/json': { schema: distinct.size === 1 ? alternatives[0] : { anyOf: [...distinct.values()] } },
  };
  return {
    ...known,
    summary: [...summaries].join('; or '),
    tags: [SEVERAL],
    responses: { ...known.responses, 200: { ...known.responses['200'], content } },
  };
}

function usesTag(paths: Record<string, PathItem>, tag: string): boolean {
  return Object.values(paths).some((item) => Object.values(item).some(({ tags }) => tags?.includes(tag)));
}
