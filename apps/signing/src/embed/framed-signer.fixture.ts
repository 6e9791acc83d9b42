import { embedPath, embedTokenIn } from '@constancia/contracts';
import { type Answer, type Problem, type RunningSigning } from '../running-signing.fixture.ts';
import type { SignState } from '../signer-requests/sign-state-view.ts';

/** The page of the tenant in these tests. */
export const SHOP = 'https://shop.example';

/** The part of libs/testing's TestDatabase that is used here. */
interface Store {
  query(sql: string, params?: unknown[]): Promise<unknown[]>;
}

/** Registers the origins that may hold frames of a tenant (UUID). */
export function registerOrigins(store: Store, tenantId: string, origins: string[] = [SHOP]): Promise<unknown[]> {
  return store.query(
    `insert into platform.embed_origins (tenant_id, origins) values ($1, $2)
     on conflict (tenant_id) do update set origins = excluded.origins`,
    [tenantId, origins],
  );
}

export interface CreatedEmbed {
  id: string;
  kind: string;
  target_id: string;
  state: string;
  token: string;
  embed_url: string;
  parent_origin: string | null;
  external_ref: string | null;
  metadata: object;
}

/** Creates an embed session of a signer. */
export function createEmbed(
  running: RunningSigning,
  key: string,
  body: Record<string, unknown>,
): Promise<Answer<CreatedEmbed & Problem>> {
  return running.call('/v1/embed/sessions', { key, body: { kind: 'sign', allowed_origins: [SHOP], ...body } });
}

/** The path of everything that a token reaches. */
export const pathIn = (embedUrl: string): string => embedPath(embedTokenIn(new URL(embedUrl).pathname) ?? '');

export interface FrameAnswer<Body> {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

/** A frame on the sign host: what it keeps, it keeps in memory. */
export class FramedSigner {
  access: string | undefined;
  private proof: string | undefined;
  private claim: string | undefined;
  /** Every cookie that an answer set. */
  readonly cookies: string[] = [];

  constructor(
    private readonly pages: string,
    readonly path: string,
  ) {}

  async exchange(parent_origin = SHOP): Promise<FrameAnswer<{ id: string; access_token: string } & Problem>> {
    const answer = await this.call<{ id: string; access_token: string } & Problem>('POST', '/exchange', {
      parent_origin,
    });
    if (answer.status === 200) this.access = answer.body.access_token;
    return answer;
  }

  /** A route of the signer. */
  signer<Body = SignState & Problem>(method: string, route: string, body?: object): Promise<FrameAnswer<Body>> {
    return this.call<Body>(method, `/signer${route}`, body);
  }

  async call<Body = SignState & Problem>(
    method: string,
    route: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<FrameAnswer<Body>> {
    const response = await fetch(`${this.pages}${this.path}${route}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(this.access !== undefined && { authorization: `Bearer ${this.access}` }),
        ...(this.proof !== undefined && { 'x-sign-proof': this.proof }),
        ...(this.claim !== undefined && { 'x-identity-claim': this.claim }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    this.cookies.push(...response.headers.getSetCookie());
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    const answer = (isJson ? JSON.parse(text) : {}) as { proof?: { token: string }; claim?: { token: string } | null };
    this.proof = answer.proof?.token ?? this.proof;
    this.claim = answer.claim?.token ?? this.claim;
    return { status: response.status, headers: response.headers, text, body: answer as Body };
  }
}
