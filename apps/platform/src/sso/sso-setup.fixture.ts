import { listenForPages } from '@constancia/http';
import {
  freePort,
  type TestDatabase,
  type TestMember,
  testMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { type RunningPlatform, runningPlatform, someIp } from '../running-platform.fixture.ts';

/** The platform with its console host. */
export interface SsoPlatform extends RunningPlatform {
  console: string;
}

export async function ssoPlatform(database: TestDatabase, env: Record<string, string> = {}): Promise<SsoPlatform> {
  const port = await freePort();
  const console = `http://127.0.0.1:${port}`;
  const platform = await runningPlatform(database, {
    CONSOLE_URL: console,
    RATE_LIMIT_SIGN_IN: '1000000',
    RATE_LIMIT_IP: '1000000',
    ...env,
  });
  await listenForPages(platform.app, port);
  return { ...platform, console };
}

/** A tenant, an owner of it who is signed in, and the redirect URI of its single sign-on. */
export interface SsoTenant extends TestTenant {
  owner: TestMember;
  redirectUri: string;
  /** The domain of the tenant's addresses. */
  domain: string;
}

export async function ssoTenant(database: TestDatabase, { console }: SsoPlatform): Promise<SsoTenant> {
  const tenant = await testTenant(database);
  const owner = await testMember(database, tenant.id, 'owner');
  return {
    ...tenant,
    owner,
    domain: `${tenant.slug}.example`,
    redirectUri: `${console}/console/sso/${tenant.slug}/callback`,
  };
}

/** A browser on the console host: keeps its cookies by name. */
export class SsoBrowser {
  readonly cookies = new Map<string, string>();
  readonly ip = someIp();

  constructor(private readonly console: string) {}

  async call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const response = await fetch(path.startsWith('http') ? path : `${this.console}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': this.ip,
        cookie: [...this.cookies].map((pair) => pair.join('=')).join('; '),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const set = response.headers.getSetCookie();
    for (const line of set) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) as unknown as [string, string, string];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const answer = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
    return { status: response.status, location: response.headers.get('location'), set, body: answer };
  }

  /** Presses the button: where the browser is sent. */
  async begin(slug: string): Promise<string> {
    const { status, body } = await this.call('POST', '/console/sso', { slug });
    if (status !== 200) throw new Error(`the sign-in did not begin: ${status} ${JSON.stringify(body)}`);
    return body.location as string;
  }

  /** Comes back from the provider: `signed-in`, or what failed. */
  async finish(address: string): Promise<string> {
    const { status, location } = await this.call('GET', address, undefined, { 'sec-fetch-site': 'cross-site' });
    if (status !== 303) return `status ${status}`;
    if (location === '/login') return 'signed-in';
    return /#failure=([a-z_]+)$/.exec(location ?? '')?.[1] ?? `to ${location}`;
  }

  /** Who is signed in. */
  async session() {
    const { status, body } = await this.call('GET', '/console/session');
    return status === 200
      ? (body as { member: { id: string; email: string; role: string; name: string }; session: { method: string } })
      : null;
  }
}
