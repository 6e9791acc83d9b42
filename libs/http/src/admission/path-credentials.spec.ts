import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { TENANT, specApp } from '../spec-app.fixture.ts';

const LINK = 'canary-Zk3vY8qLr5TnW1xBc7DfGh2JmPsUa4Ee6Ii9Oo0Q';
const OTHER = 'canary-unknown-8qLr5TnW1xBc7DfGh2JmPsUa4Ee6Ii9';

let app: NestFastifyApplication | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function started(given: Parameters<typeof specApp>[0] = {}) {
  const spec = await specApp(given);
  app = spec.app;
  spec.links.known.set(LINK, { tenantId: TENANT.id, standing: 'active' });
  const state = (secret: string) => spec.app.inject({ url: `/v1/links/${secret}/state` });
  return { ...spec, state };
}

describe('a credential in the path', () => {
  it('lets its holder in without an API key, and counts against the tenant and the address', async () => {
    const { state, limiter, links } = await started({ config: { rateLimitTenant: 7, rateLimitIp: 3 } });
    const response = await state(LINK);
    expect(response.json()).toEqual({ tenantId: TENANT.id, standing: 'active' });
    expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '7', 'x-ratelimit-remaining': '6' });
    await state(LINK);
    expect(limiter.used.get(`default:tenant:${TENANT.id}:127.0.0.1`)).toBe(2);
    expect(limiter.used.get('default:ip:127.0.0.1')).toBe(0);
    expect(links.lookups).toBe(2);
  });

  it('that is unknown reaches the handler without a holder, and counts against the address once', async () => {
    const { state, limiter } = await started({ config: { rateLimitIp: 5 } });
    const response = await state(OTHER);
    expect(response.statusCode).toBe(404);
    expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4' });
    expect([...limiter.used]).toEqual([['default:ip:127.0.0.1', 1]]);
  });

  it('that was valid a moment ago is answered like any unknown one', async () => {
    const { state, links } = await started();
    await state(LINK);
    links.known.clear();
    const [ended, unknown] = [await state(LINK), await state(OTHER)];
    const same = ({ headers, json }: typeof ended) => {
      const { 'x-request-id': _, 'x-ratelimit-remaining': left, ratelimit: __, date: ___, ...others } = headers;
      return { others, left: Number(left), body: { ...json(), request_id: '' } };
    };
    expect({ ...same(ended), left: same(ended).left - 1 }).toEqual(same(unknown));
  });

  it('is not looked up once its address has used its requests up by guessing, unless it was right before', async () => {
    const { state, links } = await started({ config: { rateLimitIp: 3 } });
    expect((await state(LINK)).statusCode).toBe(200);
    for (let nth = 0; nth < 3; nth++) expect((await state(`${OTHER}${nth}`)).statusCode).toBe(404);
    const lookups = links.lookups;
    expect((await state(`${OTHER}4`)).statusCode).toBe(429);
    expect(links.lookups).toBe(lookups);
    expect((await state(LINK)).statusCode).toBe(200);
  });

  it('that cannot be looked up is 503, with its limit, and counts nothing', async () => {
    const { state, links, limiter } = await started();
    links.storeAway = true;
    const response = await state(LINK);
    expect(response.statusCode).toBe(503);
    expect(response.headers).toHaveProperty('x-ratelimit-limit');
    links.storeAway = false;
    expect((await state(LINK)).statusCode).toBe(200);
    expect(limiter.used.get(`default:tenant:${TENANT.id}:127.0.0.1`)).toBe(1);
  });

  it('stands in no log, no metric, no problem and no key of the limiter', async () => {
    const { app, state, log, metrics, limiter } = await started();
    const answers = [
      await state(LINK),
      await state(OTHER),
      await app.inject({ method: 'POST', url: `/v1/links/${LINK}/fail` }),
      await app.inject({ method: 'DELETE', url: `/v1/links/${LINK}/state` }),
      await app.inject({ url: `/v1/links/${LINK}/nothing` }),
      await app.inject({ url: `/v1//links/${LINK}/state` }),
      await app.inject({ url: `/v1/links/%zz${LINK}/state` }),
      await app.inject({ url: `/v1/links/${LINK}/state?x=%00` }),
      await app.inject({ url: `/v1/links/${LINK.repeat(20)}/state` }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404, 500, 405, 404, 404, 400, 400, 400]);
    expect(answers[1]?.json().instance).toBe('/v1/links/{secret}/state');
    expect(answers[4]?.json().instance).toBe('/v1/links/…/nothing');
    const output = [...answers.map(({ payload }) => payload), ...log, await metrics.text(), ...limiter.used.keys()];
    expect(output.join('')).not.toMatch(/canary-/);
    expect(log.join('')).toContain(`"tenant_id":"${TENANT.id}"`);
    expect(await metrics.text()).toContain('route="/v1/links/{secret}/state"');
  });
});
