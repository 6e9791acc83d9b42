import { PROBLEMS, type ProblemSlug } from '@constancia/contracts';
import { problemExample, REPLAYED_HEADER } from '@constancia/http';
import type { RouteMarks } from '@constancia/http';
import { problemHeaders } from './answer-headers.ts';
import type { ApiResponse, Operation } from './operation.ts';

const PROBLEM_TYPE = 'application/problem+json';
const SCHEMA = { $ref: '#/components/schemas/Problem' };

/** Where an operation stands: its path template and method, in lower case. */
export interface Place {
  path: string;
  method: string;
}

/**
 * The problem answers of an operation: those that its handler declares (ApiProblems) and those that the framework may give.
 * Each combination of slugs is written once, into `shared`.
 */
export function problemResponses(
  operation: Operation,
  place: Place,
  route: RouteMarks,
  shared: Record<string, ApiResponse>,
): Record<string, ApiResponse> {
  const slugs = new Set([...declared(operation), ...byFramework(operation, place, route)]);
  const statuses = new Set([...slugs].map((slug) => PROBLEMS[slug].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const ofStatus = ALL_SLUGS.filter((slug) => slugs.has(slug) && PROBLEMS[slug].status === status);
      // Of the problems, a rejection alone is stored for the Idempotency-Key and sent again.
      const replayed = route.idempotent === true && ofStatus.includes('kyc-rejected');
      const name = `${ofStatus.map(pascal).join('Or')}${replayed ? 'Replayable' : ''}`;
      shared[name] ??= responseFor(status, ofStatus, replayed ? REPLAYED_HEADER : {});
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}

const ALL_SLUGS = Object.keys(PROBLEMS) as ProblemSlug[];

function declared(operation: Operation): ProblemSlug[] {
  return Object.values(operation.responses).flatMap(({ content }) => {
    return Object.keys(content?.[PROBLEM_TYPE]?.examples ?? {}).filter((slug): slug is ProblemSlug => slug in PROBLEMS);
  });
}

function byFramework(operation: Operation, { path, method }: Place, route: RouteMarks): ProblemSlug[] {
  // An address that cannot be read, and an internal error: every route may answer with them.
  const slugs: ProblemSlug[] = ['bad-request', 'internal-error'];
  if (!route.unlimited) slugs.push('rate-limit-exceeded', 'database-unavailable', 'database-timeout');
  if (method === 'get' && !route.public) slugs.push('read-budget-exceeded');
  // A body that nobody asked for is still looked at: its size, type and form.
  if (method !== 'get') slugs.push('payload-too-large', 'unsupported-media-type');
  slugs.push(...byCredential(method, route));
  if (path.includes('{')) slugs.push('not-found');
  if (operation.parameters?.some((parameter) => parameter.in === 'query')) slugs.push('validation-error');
  if (route.idempotent) slugs.push('validation-error', 'conflict', 'unprocessable-entity');
  if (operation.requestBody) slugs.push('validation-error');
  return slugs;
}

function byCredential(method: string, route: RouteMarks): ProblemSlug[] {
  const slugs: ProblemSlug[] = [];
  if (!route.public) slugs.push('invalid-api-key', 'unauthorized', 'tenant-suspended');
  if (!route.public && method !== 'get' && !route.whileClosing) slugs.push('tenant-closing');
  if (route.credential !== undefined || route.bearerCredential !== undefined) slugs.push('tenant-suspended');
  if (route.person) slugs.push('unauthorized');
  if (route.scopes?.length) slugs.push('forbidden');
  return slugs;
}

function responseFor(status: number, slugs: ProblemSlug[], headers: Record<string, unknown>): ApiResponse {
  return {
    description: slugs.map((slug) => `\`${slug}\`: ${PROBLEMS[slug].title}.`).join(' '),
    headers: { ...problemHeaders(status, slugs), ...headers },
    content: {
      [PROBLEM_TYPE]: {
        schema: SCHEMA,
        examples: Object.fromEntries(slugs.map((slug) => [slug, { value: problemExample(slug) }])),
      },
    },
  };
}

function pascal(slug: string): string {
  return slug.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
