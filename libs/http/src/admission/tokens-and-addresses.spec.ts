import { Controller, Get, Module, Put } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DatabaseUnavailable, Unauthorized } from '@constancia/problem-json';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AllowBearerToken, AnyScope, type AskedAddress, type CredentialHolder, CurrentTenant, Holder, RawPdfBody, SignedAddress, type Tenant,
} from '../index.ts'; // prettier-ignore
import { KEY, specApp, TENANT } from '../spec-app.fixture.ts';

const TOKEN = 'ses_right';
const HOLDER = { tenantId: TENANT.id, standing: 'active' as const, session: 's1' };

@Controller()
class Doors {
  @Get('v1/session')
  @AnyScope()
  @AllowBearerToken('ses_')
  session(@Holder() bearer: CredentialHolder | undefined, @CurrentTenant() tenant?: Tenant) {
    return { bearer: bearer ?? null, tenant: tenant?.id ?? null };
  }

  @Put('drop/:id')
  @SignedAddress('drop')
  drop(@Holder() grant: object, @RawPdfBody(1024) bytes: Buffer) {
    return { grant, bytes: bytes.length };
  }
}

@Module({ controllers: [Doors] })
class DoorsModule {}

/** Knows one token. */
class Sessions {
  lookups = 0;
  storeAway = false;

  find = (token: string): Promise<CredentialHolder | null> => {
    this.lookups++;
    if (this.storeAway) return Promise.reject(new DatabaseUnavailable());
    return Promise.resolve(token === TOKEN ? HOLDER : null);
  };
}

let app: NestFastifyApplication | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function started(given: Parameters<typeof specApp>[0] = {}) {
  const sessions = new Sessions();
  const drop = ({ params, query }: AskedAddress) => {
    if (query.sig !== 'right') throw new Unauthorized('altered');
    return { tenantId: TENANT.id, place: params.id };
  };
  const spec = await specApp({ bearers: { ses_: sessions.find }, addresses: { drop }, ...given }, DoorsModule);
  app = spec.app;
  const withToken = (token: string, headers: Record<string, string> = {}) =>
    spec.app.inject({ url: '/v1/session', headers: { authorization: `Bearer ${token}`, ...headers } });
  return { ...spec, sessions, withToken };
}

const WRONG_KEYS = 'wrong-key:ip:127.0.0.1';

describe('a bearer token that is looked up', () => {
  it('lets its bearer in, and counts against the tenant and the address as a key does', async () => {
    const { withToken, limiter } = await started({ config: { rateLimitTenant: 7, rateLimitWrongKey: 3 } });
    for (let nth = 0; nth < 6; nth++) {
      const response = await withToken(TOKEN);
      expect(response.json()).toEqual({ bearer: HOLDER, tenant: null });
      expect(response.headers['x-ratelimit-limit']).toBe('7');
    }
    expect(limiter.used.get(WRONG_KEYS)).toBe(0);
    expect(limiter.used.get(`default:tenant:${TENANT.id}:127.0.0.1`)).toBe(6);
  });

  it('is no guess: not even when others at its address have used up what guesses are allowed', async () => {
    const { withToken } = await started({ config: { rateLimitWrongKey: 3 } });
    expect((await withToken(TOKEN)).statusCode).toBe(200);
    for (let nth = 0; nth < 3; nth++) expect((await withToken(`ses_guess${nth}`)).statusCode).toBe(401);
    expect((await withToken('ses_guess')).statusCode).toBe(429);
    expect((await withToken(TOKEN)).statusCode).toBe(200);
  });

  it('lets many requests with one new token in together, with one look-up', async () => {
    const { withToken, sessions } = await started({ config: { rateLimitWrongKey: 3 } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => withToken(TOKEN)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
    expect(sessions.lookups).toBe(1);
  });

  it('is 401 unauthorized when it is nobody’s, before any look-up of the next one too many', async () => {
    const { withToken, sessions } = await started({ config: { rateLimitWrongKey: 1 } });
    const response = await withToken('ses_wrong');
    expect(response.statusCode).toBe(401);
    expect(response.json().type).toMatch(/\/unauthorized$/);
    expect((await withToken('ses_wrong2')).statusCode).toBe(429);
    expect(sessions.lookups).toBe(1);
  });

  it('is 503 while it cannot be looked up, and counts nothing', async () => {
    const { withToken, sessions, limiter } = await started();
    sessions.storeAway = true;
    expect((await withToken(TOKEN)).statusCode).toBe(503);
    expect(limiter.used.get(WRONG_KEYS)).toBe(0);
  });

  it('is not looked at when there is an API key, and is no key where it is not allowed', async () => {
    const { app, withToken, sessions } = await started();
    expect((await withToken(TOKEN, { 'x-api-key': KEY })).json()).toEqual({ bearer: null, tenant: TENANT.id });
    expect(sessions.lookups).toBe(0);
    const other = await app.inject({ url: '/v1/session', headers: { authorization: 'Bearer rec_x' } });
    expect(other.json().type).toMatch(/invalid-api-key$/);
  });
});

describe('a signed address', () => {
  const put = (app: NestFastifyApplication, sig: string, payload: string) =>
    app.inject({ method: 'PUT', url: `/drop/a1?sig=${sig}`, payload, headers: { 'content-type': 'application/pdf' } });

  it('needs no key, and gives the handler what it allows', async () => {
    const { app } = await started();
    expect((await put(app, 'right', '%PDF-')).json()).toEqual({
      grant: { tenantId: TENANT.id, place: 'a1' },
      bytes: 5,
    });
  });

  it('is checked before anything is said of the body, and counts against its address', async () => {
    const { app, limiter } = await started();
    const tooLarge = 'x'.repeat(2_000);
    expect((await put(app, 'right', tooLarge)).statusCode).toBe(413);
    const refused = await put(app, 'wrong', tooLarge);
    expect(refused.statusCode).toBe(401);
    expect(refused.headers).toHaveProperty('x-ratelimit-limit');
    expect(limiter.used.get('default:ip:127.0.0.1')).toBe(2);
  });
});
