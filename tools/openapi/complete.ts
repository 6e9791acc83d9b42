import type { Scope } from '@constancia/contracts';
import type { RouteMarks } from '@constancia/http';
import { MAX_STALENESS_SECONDS } from '@constancia/persistence';
import type { DocumentedApp } from './apps.ts';
import { ANSWER_HEADERS, answerHeaders, staleHeaders } from './answer-headers.ts';
import { describePathParameters } from './path-parameters.ts';
import { problemResponses } from './problem-responses.ts';
import { eventSchemas, webhooks } from './webhooks.ts';
import type { ApiResponse, Operation, PathItem } from './operation.ts';
import { ownRouteMarks, ownRoutes } from './own-routes.ts';
import { completeLimits } from './schema-limits.ts';

export interface ApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string; description?: string; 'x-internal'?: boolean }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  webhooks?: Record<string, object>;
  components: {
    schemas: Record<string, Record<string, unknown>>;
    responses?: Record<string, ApiResponse>;
    headers?: Record<string, unknown>;
    securitySchemes?: Record<string, unknown>;
  };
}

/** The keys that a host takes say which environment it belongs to. */
const SERVER =
  'The host that serves this document: one of sandbox (keys that begin with test_) or of production (live_).';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'A key of the tenant: `test_…` or `live_…`. It needs a scope that the operation names in `x-scope`.',
  },
  MemberToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The `mbt_…` token of a member’s console session. The member’s role needs a scope that the operation names in `x-scope`.',
  },
  RecoveryToken: { type: 'http', scheme: 'bearer', description: 'The `rec_…` token of a recovery mail: works once.' },
  SessionToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `fst_…` token of a flow session, for the operations of that session alone.',
  },
  PersonToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token of the OpenID provider for the resource `urn:service:api` (`at+jwt`, RFC 9068), with the scope that the operation names: of a person, for their own subject and its sessions alone. Checked as RFC8725 says: one algorithm, and exactly this class, issuer and audience. A token that is bound to a key (DPoP) is refused.',
  },
  WalletSession: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `wallet_session_jwt` of a person, for their own wallet alone: no key and no member can use these operations. Checked as RFC8725 says: one algorithm, and exactly this class, issuer and audience.',
  },
};

/** Of routes that are marked MayBeStale. */
const STALE_ANSWERS =
  `What was written in the last ${MAX_STALENESS_SECONDS} seconds may be missing: the answer may come from a copy of the store, and has the ` +
  'header `Age` then. Send `Cache-Control: no-cache` to read what you have just written.';

/** The scheme of each bearer token that a route may accept instead of the API key, by the token's prefix. */
const BEARER_SCHEMES: Record<string, keyof typeof SECURITY_SCHEMES> = {
  rec_: 'RecoveryToken',
  fst_: 'SessionToken',
  eyJ: 'PersonToken',
};

/**
 * Adds what holds for every operation of every app, and what the route's marks say: security, the problems that the framework
 * may answer, the headers of each answer, and the routes that the kit itself brings. Puts everything in a fixed order.
 */
export function completed(raw: ApiDocument, app: DocumentedApp, marks: Map<string, RouteMarks>): ApiDocument {
  const paths: Record<string, PathItem> = { ...raw.paths, ...ownRoutes(app) };
  const responses: Record<string, ApiResponse> = {};
  const schemas = { ...raw.components.schemas, ...(app.sendsEvents && eventSchemas()) };
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const route = marks.get(`${method} ${path}`) ?? ownRouteMarks(path);
      operation.security = securityOf(route);
      if (route.mayBeStale) describe(operation, STALE_ANSWERS);
      if (route.scopes !== undefined) stateScope(operation, route.scopes, route.everyScope);
      operation.responses = {
        ...operation.responses,
        ...problemResponses(operation, { path, method }, route, responses),
      };
      for (const response of Object.values(operation.responses)) {
        if (response.$ref !== undefined) continue;
        response.headers = { ...answerHeaders(), ...(route.mayBeStale && staleHeaders()), ...response.headers };
        response.description ||= 'Done.';
      }
      if (route.raw) delete (operation.requestBody as { content: Record<string, unknown> }).content['application/json'];
      closeBody(operation, schemas);
      describePathParameters(path, operation.parameters);
      operation.responses = sorted(operation.responses);
    }
  }
  openProblem(schemas);
  undescribe(schemas);
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const usedSchemes = new Set(['ApiKey', ...operations.flatMap(schemesOf)]);
  const document: ApiDocument = {
    openapi: raw.openapi,
    info: {
      title: raw.info.title,
      description: raw.info.description,
      version: raw.info.version,
      contact: { name: 'The operator of the host that serves this document' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: SERVER, 'x-internal': false }],
    tags: app.tags.filter(({ name }) => (name === 'Events' && app.sendsEvents) || usesTag(paths, name)),
    paths: Object.fromEntries(Object.entries(sorted(paths)).map(([path, item]) => [path, inMethodOrder(item)])),
    ...(app.sendsEvents && { webhooks: webhooks() }),
    components: {
      securitySchemes: Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => usedSchemes.has(name))),
      headers: structuredClone(ANSWER_HEADERS),
      responses: sorted(responses),
      schemas: sorted(schemas),
    },
  };
  completeLimits(document);
  return document;
}

function securityOf(route: RouteMarks): Record<string, string[]>[] {
  if (route.person) return [{ WalletSession: [] }];
  if (route.public) return [];
  const principal: Record<string, string[]>[] = [{ ApiKey: [] }, { MemberToken: [] }];
  const bearers = (route.bearerPrefixes ?? []).map((prefix) => {
    const scheme = BEARER_SCHEMES[prefix];
    if (scheme === undefined) throw new Error(`no security scheme describes bearer tokens with ${prefix}`);
    return { [scheme]: [] };
  });
  return [...principal, ...bearers];
}

/** The linter refuses scopes of schemes other than OAuth 2 in `security`: an extension and a sentence state them. */
function stateScope(operation: Operation, scopes: readonly Scope[], every = false): void {
  operation['x-scope'] = [...scopes];
  if (every) operation['x-every-scope'] = true;
  const sentence =
    scopes.length === 0
      ? 'Every key and member of the tenant may call it.'
      : `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(every ? ' and ' : ' or ')}.`;
  describe(operation, sentence);
}

function describe(operation: Operation, sentence: string): void {
  operation.description = [operation.description, sentence].filter(Boolean).join(' ');
}

function schemesOf({ security = [] }: Operation): string[] {
  return security.flatMap((alternative) => Object.keys(alternative));
}

/** A body's unknown members are refused: its schema says so. */
export function closeBody(operation: Operation, schemas: ApiDocument['components']['schemas']): void {
  for (const { schema } of Object.values(operation.requestBody?.content ?? {})) close(schema, schemas);
}

function close(schema: unknown, schemas: ApiDocument['components']['schemas']): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { $ref, properties, items, allOf, additionalProperties } = schema as Record<string, unknown> & {
    $ref?: string;
  };
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) as string;
    if (schemas[name]?.additionalProperties !== undefined) return;
    close(schemas[name], schemas);
    return;
  }
  if (properties !== undefined && additionalProperties === undefined) {
    (schema as Record<string, unknown>).additionalProperties = false;
  }
  for (const inner of [...Object.values(properties ?? {}), items, ...((allOf as unknown[]) ?? [])])
    close(inner, schemas);
}

/** Takes from each named list of values the description that Nest gave it: that of the first member it met, which others change. */
function undescribe(schemas: ApiDocument['components']['schemas']): void {
  for (const schema of Object.values(schemas)) if ('enum' in schema) delete schema.description;
}

/** Some problems carry further members. */
function openProblem(schemas: ApiDocument['components']['schemas']): void {
  if (schemas.Problem) schemas.Problem.additionalProperties = true;
}

function usesTag(paths: Record<string, PathItem>, tag: string): boolean {
  return Object.values(paths).some((item) => Object.values(item).some(({ tags }) => tags?.includes(tag)));
}

function inMethodOrder(item: PathItem): PathItem {
  return Object.fromEntries(METHODS.flatMap((method) => (item[method] ? [[method, item[method]]] : [])));
}

export function sorted<T>(members: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}
