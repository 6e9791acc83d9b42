import { PROBLEMS, shape } from '@constancia/contracts';
import type { RouteMarks } from '@constancia/http';
import type { DocumentedApp } from './apps.ts';
import type { Operation, PathItem } from './operation.ts';

const STATUS_OK = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'string', const: 'ok' } },
    },
  },
};

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
  const headers = { ETag: { description: 'Names these bytes.', schema: { type: 'string', ...shape.header } } };
  return {
    get: {
      operationId,
      summary,
      description: 'Public. What a browser has already is asked for again with its ETag.',
      tags: ['Operations'],
      responses: { 200: { description, content, headers }, 304: { description: 'Not modified.', headers } },
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
          'Looks at the database and at what else it needs, at most once per second: for the load balancer, which sends requests ' +
          'elsewhere meanwhile. What is missing is reported on the ops port.',
        tags,
        responses: {
          200: { description: 'It can.', content: STATUS_OK },
          503: {
            content: {
              'application/problem+json': { examples: { 'dependency-unavailable': {} } },
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
    '/owner-email': file(
      'openOwnerEmailPage',
      'Where the link of the mail to an owner leads',
      'A page in Spanish or English. Opening it changes nothing: its button verifies the address.',
      HTML,
    ),
    ...tokenPage(
      '/owner-email-change',
      'OwnerEmailChange',
      'Where the link of the mail to another address of the owner leads',
      'its button verifies the address, which replaces the former one.',
    ),
    ...tokenPage(
      '/owner-email-stop',
      'OwnerEmailStop',
      'Where the link of the mail about such a change leads',
      'its button stops the change.',
    ),
    '/payment-return': file(
      'openPaymentReturnPage',
      'Where a payer arrives whose top-up has no return_url',
      'A page in Spanish or English. It says nothing about the payment.',
      HTML,
    ),
    '/owner-email/page.js': file('readOwnerEmailScript', 'The script of that page', 'A script.', {
      'text/javascript': TEXT,
    }),
  };
}

/** A page with one button, and its script. */
function tokenPage(path: string, name: string, summary: string, effect: string) {
  return {
    [path]: file(
      `open${name}Page`,
      summary,
      `A page in Spanish or English. Opening it changes nothing: ${effect}`,
      HTML,
    ),
    [`${path}/page.js`]: file(`read${name}Script`, 'The script of that page', 'A script.', { 'text/javascript': TEXT }),
  };
}
