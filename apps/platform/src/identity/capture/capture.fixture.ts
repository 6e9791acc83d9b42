import type { CaptureState } from '@constancia/contracts';
import { listenForPages } from '@constancia/http';
import { someIp } from '../../running-platform.fixture.ts';
import type { FlowCaller, RunningIdentity, Session } from '../running-identity.fixture.ts';

export type Hosted = Session & { capture_url: string };

export interface PageAnswer<Body = CaptureState> {
  status: number;
  headers: Headers;
  text: string;
  body: Body & Record<string, unknown>;
}

/** The person host of a platform, as a page on it calls it. */
export class PersonHost {
  private constructor(readonly url: string) {}

  static async of({ app }: RunningIdentity): Promise<PersonHost> {
    return new PersonHost(`http://127.0.0.1:${await listenForPages(app, 0, '127.0.0.1', 'person')}`);
  }

  async call<Body = CaptureState>(
    path: string,
    { token, body, method, headers = {} }: CallOptions = {},
  ): Promise<PageAnswer<Body>> {
    const raw = Buffer.isBuffer(body);
    const response = await fetch(`${this.url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': someIp(),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': raw ? 'image/jpeg' : 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      ...(body !== undefined && { body: raw ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as object) : {};
    return { status: response.status, headers: response.headers, text, body: json as PageAnswer<Body>['body'] };
  }
}

interface CallOptions {
  token?: string | undefined;
  body?: object | Buffer;
  method?: string;
  headers?: Record<string, string>;
}

/** Opens a hosted session; answers it with the token of its page. */
export async function openHosted(
  flows: FlowCaller,
  body: Record<string, unknown> = {},
): Promise<{ session: Hosted; token: string }> {
  const session = (await flows.open({ hosted: true, ...body })) as Hosted;
  return { session, token: tokenIn(session.capture_url) };
}

export const tokenIn = (url: string): string => url.slice(url.indexOf('#') + 1);
