import type { Role } from '@constancia/contracts/scopes';
import { sendJson } from '@constancia/web';
import { ApiError } from './api-error.ts';

export type SignInMethod = 'code' | 'link' | 'passkey' | 'sso';
/** What a tenant may require. */
export type RequiredMethod = 'passkey' | 'sso';

/** Who is signed in, as the console host tells it. */
export interface SessionView {
  member: { id: string; name: string; email: string; role: Role };
  tenant: { id: string; slug: string; name: string; environment: string };
  /** enrol: the session may add the first passkey of its member, nothing else. */
  session: {
    id: string;
    method: SignInMethod;
    access: 'full' | 'enrol';
    created_at: string;
    expires_at: string;
    idle_expires_at: string;
  };
}

/** Which organization an invitation is from, for which address and with which role. */
export interface Invitation {
  organization: string;
  email: string;
  role: Role;
}

export interface TenantChoice {
  tenant_id: string;
  name: string;
}

/** What a sign-in is answered with: a session, or nobody is signed in, because the tenant requires this method instead. */
export type SignInAnswer = SessionView | { required: RequiredMethod };

/** What a code is answered with: also the tenants among which the member has to choose. */
export type CodeAnswer = SignInAnswer | { choose: TenantChoice[] };

/** Of the session that this page was opened for; null before. The cookie may be that of another one, which another tab opened. */
let pageSession: string | null = null;

/** From now on the console host answers this page for this session alone, and 401 when the browser has another one. */
export function actFor(session: string | null): void {
  pageSession = session;
}

/** @throws ApiError, Unreachable */
export async function callConsole<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  return callHost(method, `/console/session${path}`, body);
}

/** Any path of the console host. @throws ApiError, Unreachable */
export async function callHost<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const headers = pageSession === null ? undefined : { 'X-Console-Session': pageSession };
  return (await sendJson<Answer>(path, { method, headers, body, errorOf: (refusal) => new ApiError(refusal) })).answer;
}

/** Where the identity provider of an organization signs its members in. @throws ApiError, Unreachable */
export const beginSso = (slug: string): Promise<{ location: string }> => callHost('POST', '/console/sso', { slug });
