import { isSuspended, type Refusal, sendJson } from '@constancia/web';

export type SignInMethod = 'code' | 'link' | 'passkey' | 'sso';
/** What a tenant may require. */
export type RequiredMethod = 'passkey' | 'sso';

/** Who is signed in, as the console host tells it. */
export interface SessionView {
  member: { id: string; name: string; email: string; role: string };
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

export interface TenantChoice {
  tenant_id: string;
  name: string;
}

/** What a sign-in is answered with: a session, or nobody is signed in, because the tenant requires this method instead. */
export type SignInAnswer = SessionView | { required: RequiredMethod };

/** What a code is answered with: also the tenants among which the member has to choose. */
export type CodeAnswer = SignInAnswer | { choose: TenantChoice[] };

export interface OwnSession {
  id: string;
  method: SignInMethod;
  created_at: string;
  last_used_at: string;
  ip: string;
  user_agent: string;
  current: boolean;
}

export interface OwnPasskey {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** What the server refused. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly waitSeconds: number | null,
    detail: string,
    /** The tenant is suspended. */
    readonly suspended: boolean,
  ) {
    super(detail);
  }
}

interface MemberToken {
  token: string;
  expires_at: string;
}

/** A member token that is as near to its end is renewed before it is used. */
const RENEW_MS = 60_000;

/** @throws ApiError, Unreachable */
export async function callConsole<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  return callHost(method, `/console/session${path}`, body);
}

/** Any path of the console host. @throws ApiError, Unreachable */
export async function callHost<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  return (await sendJson<Answer>(path, { method, body, errorOf })).answer;
}

/** Where the identity provider of an organization signs its members in. @throws ApiError, Unreachable */
export async function beginSso(slug: string): Promise<{ location: string }> {
  return (await sendJson<{ location: string }>('/console/sso', { method: 'POST', body: { slug }, errorOf })).answer;
}

/**
 * Calls of the API in the name of the member. The member token is in the memory of this object only; the cookie, which no script can read,
 * renews it.
 */
export class Api {
  private token: Promise<MemberToken> | null = null;
  private hosts: Promise<Record<'platform', string>> | null = null;

  /** The page of own sessions that follows `cursor`. @throws ApiError, Unreachable */
  sessions(cursor: string | null): Promise<{ data: OwnSession[]; next_cursor: string | null }> {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    return this.call('GET', `/v1/member-sessions?limit=20${after}`);
  }

  /** @throws ApiError, Unreachable */
  endSession(id: string): Promise<void> {
    return this.call('DELETE', `/v1/member-sessions/${id}`);
  }

  /** @throws ApiError, Unreachable */
  passkeys(): Promise<{ data: OwnPasskey[] }> {
    return this.call('GET', '/v1/passkeys');
  }

  /** @throws ApiError, Unreachable */
  removePasskey(id: string): Promise<void> {
    return this.call('DELETE', `/v1/passkeys/${id}`);
  }

  private async call<Answer>(method: string, path: string): Promise<Answer> {
    try {
      return await this.send<Answer>(method, path);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      this.token = null; // its session may live on: a new one decides
      return this.send<Answer>(method, path);
    }
  }

  private async send<Answer>(method: string, path: string): Promise<Answer> {
    const [{ token }, { platform }] = await Promise.all([this.memberToken(), this.apiHosts()]);
    const headers = { authorization: `Bearer ${token}` };
    return (await sendJson<Answer>(`${platform.replace(/\/+$/, '')}${path}`, { method, headers, errorOf })).answer;
  }

  private async memberToken(): Promise<MemberToken> {
    const held = await (this.token ??= this.renew());
    if (Date.parse(held.expires_at) - Date.now() > RENEW_MS) return held;
    return (this.token = this.renew());
  }

  private renew(): Promise<MemberToken> {
    return callConsole<MemberToken>('POST', '/token').catch((error: unknown) => {
      this.token = null;
      throw error;
    });
  }

  private apiHosts(): Promise<Record<'platform', string>> {
    this.hosts ??= sendJson<Record<'platform', string>>('/hosts.json', { method: 'GET', errorOf }).then(
      ({ answer }) => answer,
      (error: unknown) => {
        this.hosts = null;
        throw error;
      },
    );
    return this.hosts;
  }
}

function errorOf(refusal: Refusal): ApiError {
  const { status, waitSeconds, document } = refusal;
  const { detail } = document as { detail?: unknown };
  return new ApiError(status, waitSeconds, typeof detail === 'string' ? detail : '', isSuspended(refusal));
}
