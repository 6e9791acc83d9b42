/** An operation as one request with variables and an example body: what Postman and .http files hold. */
import { type DescribedOperation, describedOperations, type Parameter } from '../described.ts';
import type { ApiDocument } from '../complete.ts';
import { exampleOf, type Schemas } from './example.ts';

export interface ExampleRequest {
  operation: DescribedOperation;
  /** With {{…}} for the values of a path: /v1/screenings/{{id}}. */
  path: string;
  query: Parameter[];
  headers: Parameter[];
  /** Name of the variable that holds the credential; none: public. */
  credential?: string;
  body?: { mediaType: string; json?: unknown };
}

/** The variable of each security scheme. The first that an operation accepts is used. */
const CREDENTIALS: Record<string, string> = {
  ApiKey: 'api_key',
  MemberToken: 'member_token',
  RecoveryToken: 'recovery_token',
  SessionToken: 'session_token',
  PersonToken: 'person_token',
  WalletSession: 'wallet_session',
};
export const TOKENS = Object.values(CREDENTIALS).filter((name) => name !== 'api_key');

export function requestsOf(document: ApiDocument): ExampleRequest[] {
  const schemas = document.components.schemas as Schemas;
  return describedOperations(document).map((operation) => {
    const [mediaType, schema] = Object.entries(operation.body?.content ?? {})[0] ?? [];
    const json = mediaType === 'application/json';
    const credential = CREDENTIALS[operation.security[0] ?? ''];
    return {
      operation,
      path: operation.path.replace(/\{([^}]+)\}/g, '{{$1}}'),
      query: operation.parameters.filter((parameter) => parameter.in === 'query'),
      headers: operation.parameters.filter((parameter) => parameter.in === 'header'),
      ...(credential && { credential }),
      ...(mediaType && schema && { body: { mediaType, ...(json && { json: exampleOf(schema, schemas) }) } }),
    };
  });
}

/** The value of a parameter to begin with. */
export function exampleParameter({ name, schema }: Parameter, schemas: Schemas): string {
  return name === 'Idempotency-Key' ? '{{$guid}}' : String(exampleOf(schema, schemas));
}

/** Where a file is sent from: beside the .http file, or where Postman looks. */
export function fileFor(mediaType: string): string {
  const ending = { 'application/pdf': 'pdf', 'image/png': 'png', 'text/csv': 'csv' }[mediaType] ?? 'bin';
  return `./file.${ending}`;
}

/** platform_url and so on: the variable of a host. */
export const hostVariable = (name: string) => `${name}_url`;
/** No host of anybody: to be replaced. */
export const placeholderHost = (name: string) => `https://${name}.example`;
