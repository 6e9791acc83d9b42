import createClient, { type Client } from 'openapi-fetch';
import type { paths as PlatformPaths } from './generated/platform.ts';
import type { paths as SigningPaths } from './generated/signing.ts';
import { retryingFetch, type Fetch, type RetryOptions } from './retries.ts';

export interface ClientOptions {
  /** Address of the host, for example http://127.0.0.1:3000. */
  baseUrl: string;
  /** The tenant's key; without it only public operations answer. */
  apiKey?: string;
  /** How often, and how long, to wait when the service asks for it; false: never. */
  retries?: RetryOptions | false;
  /** Does the sending; default the platform's fetch. */
  fetch?: Fetch;
}

export type PlatformClient = Client<PlatformPaths>;
export type SigningClient = Client<SigningPaths>;

/** A typed client of {base_url}: tenants, webhook endpoints and deliveries, credits. */
export function createPlatformClient(options: ClientOptions): PlatformClient {
  return createClient<PlatformPaths>(settings(options));
}

/** A typed client of {signing_url}: templates, signature requests, signing keys. */
export function createSigningClient(options: ClientOptions): SigningClient {
  return createClient<SigningPaths>(settings(options));
}

function settings({ baseUrl, apiKey, retries, fetch }: ClientOptions) {
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'X-API-Key': apiKey };
  const send = retries === false ? fetch : retryingFetch({ ...retries, ...(fetch ? { fetch } : {}) });
  return { baseUrl: baseUrl.replace(/\/+$/, ''), headers, ...(send ? { fetch: send } : {}) };
}
