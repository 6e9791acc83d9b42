import { PROBLEMS } from '@constancia/contracts';
import type { RouteMarks } from '../../libs/http/src/route-facts.ts';
import type { DocumentedApp } from './apps.ts';
import type { PathItem } from './complete.ts';

const STATUS_OK = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'string', const: 'ok' } },
    },
  },
};

const HTML = { 'text/html': { schema: { type: 'string' } } };

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
        tags,
        responses: { 200: { description: 'It does.', content: STATUS_OK } },
      },
    },
    '/readyz': {
      get: {
        operationId: 'checkReadiness',
        summary: 'Whether the process can do its work at present',
        tags,
        responses: {
          200: { description: 'It can.', content: STATUS_OK },
          503: {
            content: {
              'application/problem+json': { examples: { 'database-unavailable': {}, 'dependency-unavailable': {} } },
            },
          },
        },
      },
    },
    [`/api/${app.name}.v1.yaml`]: {
      get: {
        operationId: 'downloadApiDocument',
        summary: 'This document',
        tags,
        responses: {
          200: { description: 'OpenAPI 3.1.', content: { 'application/yaml': { schema: { type: 'string' } } } },
        },
      },
    },
    '/docs': {
      get: {
        operationId: 'readApiDocumentation',
        summary: 'This document, for people',
        tags,
        responses: { 200: { description: 'A page.', content: HTML } },
      },
    },
  };
  if (!app.problemPages) return routes;
  return {
    ...routes,
    '/problems/{slug}': {
      get: {
        operationId: 'readAboutProblem',
        summary: 'What a problem means and what to do about it',
        tags,
        parameters: [
          {
            name: 'slug',
            in: 'path',
            required: true,
            description: 'The last segment of the type of a problem.',
            schema: { type: 'string', enum: Object.keys(PROBLEMS) },
          },
        ] as never,
        responses: { 200: { description: 'A page in Spanish and English.', content: HTML } },
      },
    },
  };
}
