import { PROBLEMS, shape } from '@constancia/contracts';
import { ALL_LIST_CODES } from '@constancia/kernel';
import type { RouteMarks } from '../../libs/http/src/route-facts.ts';
import type { DocumentedApp } from './apps.ts';
import type { Operation, PathItem } from './complete.ts';

const STATUS_OK = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'string', const: 'ok' } },
    },
  },
};

/** By app: what /readyz tells beside it. */
const CONDITION: Partial<Record<DocumentedApp['name'], Record<string, object>>> = {
  compliance: {
    lists: {
      type: 'object',
      description: 'The operator’s lists, by code.',
      additionalProperties: {
        type: 'object',
        required: ['version', 'age_seconds', 'stale'],
        properties: {
          version: { type: 'string', ...shape.listVersion },
          age_seconds: shape.count(),
          stale: { type: 'boolean' },
        },
      },
    },
    missing_lists: {
      type: 'array',
      maxItems: ALL_LIST_CODES.length,
      items: { type: 'string', enum: ALL_LIST_CODES },
      description: 'Mandatory lists that were never imported: screenings answer 503.',
    },
  },
};

function condition(app: DocumentedApp) {
  const { schema } = STATUS_OK['application/json'];
  return {
    'application/json': { schema: { ...schema, properties: { ...schema.properties, ...CONDITION[app.name] } } },
  };
}

/** The largest file of these is the program of /docs, of a megabyte and a half. */
const MOST_BYTES = 4 * 1024 * 1024;
const TEXT = { schema: { type: 'string', ...shape.text(MOST_BYTES) } };
const HTML = { 'text/html': TEXT };
const BYTES = { schema: { type: 'string', format: 'binary', maxLength: MOST_BYTES } };
const ASSETS = {
  'text/css': TEXT,
  'text/javascript': TEXT,
  'image/png': BYTES,
};

/** A file that a browser may keep: asked for again with its ETag, it is answered with 304. */
function file(operationId: string, summary: string, description: string, content: Record<string, { schema: object }>) {
  return {
    get: {
      operationId,
      summary,
      description: 'Public. What a browser has already is asked for again with its ETag.',
      tags: ['Operations'],
      responses: { 200: { description, content }, 304: { description: 'Not modified.' } },
    },
  };
}

function inPath(item: PathItem, name: string, description: string, schema: object): PathItem {
  const parameters = [{ name, in: 'path', required: true, description, schema }];
  return { get: { ...(item.get as Operation), parameters } };
}

/** Probes are never refused for their number; the others count as any public route does. */
export function ownRouteMarks(path: string): RouteMarks {
  return { public: true, unlimited: path === '/livez' || path === '/readyz' };
}

/** The routes that libs/http brings to every app, which are no controllers. */
export function ownRoutes(app: DocumentedApp): Record<string, PathItem> {
  const tags = ['Operations'];
  const routes: Record<string, PathItem> = {
    '/livez': {
      get: {
        operationId: 'checkLiveness',
        summary: 'Whether the process answers',
        description: 'Looks at nothing else: for the orchestrator, which restarts what does not.',
        tags,
        responses: { 200: { description: 'It does.', content: STATUS_OK } },
      },
    },
    '/readyz': {
      get: {
        operationId: 'checkReadiness',
        summary: 'Whether the process can do its work at present',
        description:
          'Looks at the database and at what else it needs: for the load balancer, which sends requests elsewhere meanwhile.',
        tags,
        responses: {
          200: { description: 'It can.', content: condition(app) },
          503: {
            content: {
              'application/problem+json': { examples: { 'database-unavailable': {}, 'dependency-unavailable': {} } },
            },
          },
        },
      },
    },
    [`/api/${app.name}.v1.yaml`]: file('downloadApiDocument', 'This document', 'OpenAPI 3.1.', {
      'application/yaml': TEXT,
    }),
    '/docs': file('readApiDocumentation', 'This document, for people', 'A page.', HTML),
    '/docs/{file}': inPath(
      file('readApiDocumentationFile', 'A file of that page', 'The file.', ASSETS),
      'file',
      'Its name.',
      { type: 'string', pattern: '^[a-z0-9.-]{1,64}$' },
    ),
  };
  if (!app.problemPages) return routes;
  return {
    ...routes,
    '/problems/{slug}': inPath(
      file('readAboutProblem', 'What a problem means and what to do about it', 'A page in Spanish or English.', HTML),
      'slug',
      'The last segment of the type of a problem.',
      { type: 'string', enum: Object.keys(PROBLEMS) },
    ),
    '/problems/page.css': file('readProblemStyle', 'The style of these pages', 'A style sheet.', {
      'text/css': TEXT,
    }),
  };
}
