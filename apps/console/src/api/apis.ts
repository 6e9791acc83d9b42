import type { paths as CompliancePaths } from '@constancia/sdk/generated/compliance';
import type { paths as PlatformPaths } from '@constancia/sdk/generated/platform';
import type { paths as SigningPaths } from '@constancia/sdk/generated/signing';
import { fetchWithTimeout, refusalOf, Unreachable } from '@constancia/web';
import createClient, { type Client } from 'openapi-fetch';
import { ApiError } from './api-error.ts';
import { callHost } from './console-host.ts';
import { MemberToken } from './member-token.ts';

/** Addresses of the three API hosts, from /hosts.json. */
export type ApiHosts = Record<'platform' | 'compliance' | 'signing', string>;

/** For the body of an answer, which may be a whole audit log. */
const BODY_TIMEOUT_MS = 300_000;

/** The three APIs, called in the name of the member who is signed in. */
export interface Apis {
  platform: Client<PlatformPaths>;
  compliance: Client<CompliancePaths>;
  signing: Client<SigningPaths>;
  /** The same clients; the signal aborts their requests. For reading only: after an aborted change nobody knows whether it was made. */
  until: (signal: AbortSignal) => Apis;
}

/** @throws ApiError, Unreachable */
export async function openApis(): Promise<Apis> {
  const token = new MemberToken();
  token.current().catch(() => undefined); // asked for together with the hosts; the first request says what is wrong
  return apisOf(await callHost<ApiHosts>('GET', '/hosts.json'), token);
}

function apisOf(hosts: ApiHosts, token: MemberToken, signal?: AbortSignal): Apis {
  const options = (host: keyof ApiHosts) => ({
    baseUrl: hosts[host].replace(/\/+$/, ''),
    fetch: (request: Request) => sendAs(token, request, signal),
  });
  return {
    platform: createClient<PlatformPaths>(options('platform')),
    compliance: createClient<CompliancePaths>(options('compliance')),
    signing: createClient<SigningPaths>(options('signing')),
    until: (end) => apisOf(hosts, token, end),
  };
}

/** Sends with the member token; once more with another one when it was refused: the session may live on. */
async function sendAs(token: MemberToken, request: Request, signal?: AbortSignal): Promise<Response> {
  const send = (value: string): Promise<Response> => {
    const copy = request.clone();
    copy.headers.set('Authorization', `Bearer ${value}`);
    return fetchWithTimeout(copy, { signal }, BODY_TIMEOUT_MS);
  };
  const first = await token.current();
  const response = await send(first);
  return response.status === 401 ? send(await token.after(first)) : response;
}

/** What openapi-fetch answers. */
interface Called<Answer> {
  data?: Answer;
  error?: unknown;
  response: Response;
}

/** What was read, with the tag by which a change says what it was made from. */
export type Tagged<Answer> = Answer & { etag: string };

/** The same call; its answer carries the ETag of the response. */
export async function withEtag<Answer extends object>(call: Promise<Called<Answer>>): Promise<Called<Tagged<Answer>>> {
  const { data, ...called } = await call;
  const etag = called.response.headers.get('ETag') ?? '';
  return data === undefined ? called : { ...called, data: { ...data, etag } };
}

/** The body of a call that succeeded. @throws ApiError, Unreachable */
export async function answerOf<Answer>(call: Promise<Called<Answer>>): Promise<Answer> {
  const { data, error, response } = await call.catch((failure: unknown) => {
    if (failure instanceof ApiError || failure instanceof Unreachable) throw failure;
    throw new Unreachable('the answer was cut off');
  });
  if (!response.ok) throw new ApiError(refusalOf(response, typeof error === 'object' ? error : {}));
  return data as Answer;
}
