import createClient, { type Client } from 'openapi-fetch';
import type { paths as CompliancePaths } from './generated/compliance.ts';
import type { paths as PlatformPaths } from './generated/platform.ts';
import type { paths as SigningPaths } from './generated/signing.ts';
import { retryingFetch, type Fetch, type RetryOptions } from './retries.ts';

export interface ClientOptions {
  /** Address of the host, for example http://127.0.0.1:3000. */
  baseUrl: string;
  /** The tenant's key; without it only public operations answer. */
  apiKey?: string | undefined;
  /** How often, and how long, to wait when the service asks for it; false: never. */
  retries?: RetryOptions | false | undefined;
  /** Does the sending; default the platform's fetch. */
  fetch?: Fetch | undefined;
}

export type PlatformClient = Client<PlatformPaths>;
export type ComplianceClient = Client<CompliancePaths>;
export type SigningClient = Client<SigningPaths>;

/** A typed client of {base_url}: tenants, webhook endpoints and deliveries, credits. */
export function createPlatformClient(options: ClientOptions): PlatformClient {
  return createClient<PlatformPaths>(settings(options));
}

/** A typed client of {compliance_url}: validations, screenings, cases, lists. */
export function createComplianceClient(options: ClientOptions): ComplianceClient {
  return createClient<CompliancePaths>(settings(options));
}

/** A typed client of {signing_url}: templates, signature requests, signing keys. */
export function createSigningClient(options: ClientOptions): SigningClient {
  return createClient<SigningPaths>(settings(options));
}

function settings({ baseUrl, apiKey, retries, fetch }: ClientOptions) {
  const send = retries === false ? fetch : retryingFetch({ ...retries, ...(fetch ? { fetch } : {}) });
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: { 'X-API-Key': apiKey, 'Content-Type': null }, // the body brings its type
    bodySerializer,
    ...(send ? { fetch: send } : {}),
  };
}

/** PDFs go out as they are, everything else as JSON; a Blob carries its media type into the request. */
function bodySerializer(body: unknown): Blob {
  if (body instanceof Blob) return body.type === '' ? new Blob([body], { type: 'application/pdf' }) : body;
  if (body instanceof Uint8Array) return new Blob([body as Uint8Array<ArrayBuffer>], { type: 'application/pdf' });
  return new Blob([JSON.stringify(body)], { type: 'application/json' });
}
