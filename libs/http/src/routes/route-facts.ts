import 'reflect-metadata';
import type { Scope } from '@constancia/contracts';
import type { OpsRole } from '@constancia/telemetry';
import type { Host } from './hosts.ts';
// The key under which Nest's Fastify adapter reads a handler's route config (its RouteConfig decorator overwrites; ours merge).
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';

/** Bodies that are taken as they are, and how a problem names them. */
export const RAW_CONTENT = {
  'application/pdf': 'the PDF',
  'text/csv': 'the CSV file',
  'application/x-ndjson': 'the NDJSON file',
  'application/zip': 'the ZIP',
  'image/jpeg': 'the picture',
  'image/png': 'the picture',
  'image/webp': 'the picture',
} as const;
export type RawContentType = keyof typeof RAW_CONTENT;

/** The raw body that a route takes. */
export interface RawFacts {
  /** One or more; what it is called when one is missing is what the first is called. */
  contentTypes: readonly RawContentType[];
  limitBytes: number;
  optional: boolean;
  /** The handler reads the body as it arrives. */
  streamed?: boolean;
}

/** What the decorators say about a route. */
export interface RouteMarks {
  public?: boolean;
  /** The principal needs one of them. Left out: every principal of the tenant may use the route. */
  scopes?: readonly Scope[];
  /** The principal needs all of them. */
  everyScope?: boolean;
  /** Of the members only owners may use it. */
  ownersOnly?: boolean;
  /** A key in its grace may use the route, although it has lost its scope (SCOPES_LOST_IN_GRACE). */
  allowInGrace?: boolean;
  /** A bearer token with one of these prefixes is accepted instead of the API key. */
  bearerPrefixes?: readonly string[];
  /** Path parameters that are credentials: the route pattern is shown and logged, never the path. */
  secretPath?: boolean;
  /** The path parameter that is the credential: the limits count its holder's tenant. */
  credential?: string;
  /** What kind of credential that is (HttpOptions.pathCredentials). */
  credentialKind?: string;
  /** The bearer token with this prefix is the credential: the limits count its holder's tenant. */
  bearerCredential?: string;
  /** The bearer token of a person who is signed in to their wallet is the credential. */
  person?: boolean;
  /** The address itself is signed: the name of its check. */
  signedAddress?: string;
  raw?: RawFacts;
  /** Bytes that a JSON body may have; left out: JSON_LIMITS.bytes. */
  jsonLimitBytes?: number;
  /** The body is a form: what OAuth sends to its token endpoint. */
  form?: boolean;
  /** Errors are answered as OAuth does (RFC 6749, section 5.2), not as problems. */
  oauth?: boolean;
  /** A body of any content type is taken, and not read. */
  ignoresBody?: boolean;
  idempotent?: boolean;
  /** What its handler reads in snapshots may come from a replica. */
  mayBeStale?: boolean;
  /** A principal of a tenant that is being closed may use the route, although it is no GET. */
  whileClosing?: boolean;
  /** Health probes: counted by nobody, never refused. */
  unlimited?: boolean;
  /** A page for people: its Content-Security-Policy allows files of this origin, for an `app` also what a viewer of PDFs needs. */
  page?: 'document' | 'app';
  /** The hosts that answer it; left out: the one for programs. */
  hosts?: readonly Host[];
  /** Of the operators' API. */
  ops?: OpsMarks;
}

export interface OpsMarks {
  /** One line, for GET /ops. */
  summary: string;
  /** Left out: `read` for GET, `act` for anything else. */
  role: OpsRole | undefined;
  /** The handler reads the body itself. */
  stream: boolean;
}

/** A route as the hooks know it: its marks, method and pattern, fixed at start. */
export interface RouteFacts extends RouteMarks {
  readonly method: string;
  /** `/v1/signatures/:id`; for an unmatched request the word `unmatched`. */
  readonly pattern: string;
  /** `/v1/signatures/{id}`, as the documentation writes it. */
  readonly template: string;
  readonly hosts: readonly Host[];
}

/** The pattern of a request that no route matches. */
export const UNMATCHED = 'unmatched';

/** Adds marks to a handler, or to every handler of a class. */
export function mark(marks: RouteMarks): MethodDecorator & ClassDecorator {
  return ((target: object, _property?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (descriptor !== undefined) return markHandler(descriptor.value as object, marks);
    const prototype = (target as { prototype: object }).prototype;
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const handler = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
      if (name !== 'constructor' && typeof handler === 'function') markHandler(handler, marks);
    }
  }) as MethodDecorator & ClassDecorator;
}

/** Adds marks to the handler that a parameter decorator stands in. */
export function markHandler(handler: object, marks: RouteMarks): void {
  const config = (Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) ?? {}) as { constancia?: RouteMarks };
  const merged = { ...config, constancia: { ...config.constancia, ...marks } };
  Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, merged, handler);
}

/** The marks of a handler. */
export function marksOf(handler: object): RouteMarks {
  const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as { constancia?: RouteMarks } | undefined;
  return config?.constancia ?? {};
}

/** The facts of a route, from its method, pattern and marks. */
export function routeFacts(method: string, pattern: string, marks: RouteMarks = {}): RouteFacts {
  const template = pattern.replace(/:([A-Za-z_][A-Za-z0-9_]*)/g, '{$1}');
  return { ...marks, method, pattern, template, hosts: marks.hosts ?? ['api'] };
}
