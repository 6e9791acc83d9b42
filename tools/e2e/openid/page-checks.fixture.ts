import { expect } from 'vitest';
import type { Check } from './check.fixture.ts';
import { begun } from './relying-party.fixture.ts';

export const PAGE_CHECKS: Check[] = [
  {
    name: 'page-binding',
    what: 'an answer counts in the browser that began the request alone: who lures a person to sign in gets nothing',
    how: async (party) => {
      const { browser: attacker, api, page } = await begun(party);
      const victim = party.person.stranger();
      const { nonce } = await victim.call<{ nonce: string }>(`${page}/state`);
      const { redirect_to } = await victim.call<{ redirect_to: string }>(`${page}/refuse`, { nonce });
      expect((await victim.fetch(redirect_to)).status).toBe(404);
      expect((await victim.fetch(api)).status).toBe(404);
      const resumed = await attacker.fetch(api.replace('/interaction/', '/authorize/'));
      expect(resumed.headers.get('location')).toMatch(/\/v1\/oidc\/interaction\//);
    },
  },
  {
    name: 'page-tickets',
    what: 'an answer to one request is none to another, and an altered one is nothing',
    how: async (party) => {
      const [one, other] = [await begun(party), await begun(party)];
      const { nonce } = await one.browser.call<{ nonce: string }>(`${one.page}/state`);
      const { redirect_to } = await one.browser.call<{ redirect_to: string }>(`${one.page}/refuse`, { nonce });
      const ticket = new URL(redirect_to).searchParams.get('ticket') as string;
      expect((await other.browser.fetch(`${other.api}?ticket=${ticket}`)).status).toBe(404);
      expect((await one.browser.fetch(`${one.api}?ticket=${ticket.slice(0, -2)}AA`)).status).toBe(404);
      expect((await one.browser.fetch(redirect_to)).status).toBe(303);
    },
  },
  {
    name: 'page-csrf',
    what: 'a request from another origin is 403, and one without the nonce or the cookie of the state 400',
    how: async (party) => {
      const { browser, page } = await begun(party);
      const { nonce } = await browser.call<{ nonce: string }>(`${page}/state`);
      const post = (who: typeof browser, site: string, body: object) =>
        who.fetch(`${page}/refuse`, {
          method: 'POST',
          headers: { 'sec-fetch-site': site, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      expect((await post(browser, 'cross-site', { nonce })).status).toBe(403);
      expect((await post(browser, 'same-origin', {})).status).toBe(400);
      expect((await post(browser, 'same-origin', { nonce: 'A'.repeat(43) })).status).toBe(400);
      expect((await post(party.person.stranger(), 'same-origin', { nonce })).status).toBe(400);
    },
  },
  {
    name: 'page-404',
    what: 'an unknown and a finished request get the same answer, byte for byte but for the request id',
    how: async (party) => {
      const { browser, page, uid } = await begun(party);
      const { nonce } = await browser.call<{ nonce: string }>(`${page}/state`);
      const { redirect_to } = await browser.call<{ redirect_to: string }>(`${page}/refuse`, { nonce });
      await browser.open(redirect_to);
      const answer = async (token: string) => {
        const got = await browser.fetch(page.replace(uid, token) + '/state', { headers: { 'sec-fetch-site': 'same-origin' } }); // prettier-ignore
        return `${got.status} ${(await got.text()).replace(/"request_id":"[^"]*"/, '')}`;
      };
      const unknown = await answer('A'.repeat(43));
      expect(unknown).toMatch(/^404 /);
      expect(await answer(uid)).toBe(unknown);
    },
  },
  {
    name: 'page-policy',
    what: 'the page may be in no frame, leaves no referrer and is not stored; its cookie is for it alone',
    how: async (party) => {
      const { browser, page, uid } = await begun(party);
      const { headers } = await browser.fetch(page);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store']);
      const state = await browser.fetch(`${page}/state`, { headers: { 'sec-fetch-site': 'same-origin' } });
      expect(state.headers.getSetCookie()[0]).toMatch(
        new RegExp(`^constancia_openid=.*; Path=/openid/${uid}; .*HttpOnly; SameSite=Strict`),
      );
    },
  },
  {
    name: 'page-enumeration',
    what: 'asking for a code says the same for every address, and a wrong code does too',
    how: async (party) => {
      const { browser, page } = await begun(party);
      const { nonce } = await browser.call<{ nonce: string }>(`${page}/state`);
      const answers = [];
      for (const identifier of [party.email, 'nobody@canary.example']) {
        const sent = await browser.call<{ challenge_id: string }>(`${page}/otp/send`, { nonce, identifier });
        const wrong = await browser.fetch(`${page}/otp/verify`, {
          method: 'POST',
          headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
          body: JSON.stringify({ nonce, ...sent, code: '000000' }),
        });
        const text = (await wrong.text()).replace(/"request_id":"[^"]*"/, '');
        answers.push(`${sent.challenge_id.length} ${wrong.status} ${text}`);
      }
      expect(answers[0]).toMatch(/^98 422 /);
      expect(answers[1]).toBe(answers[0]);
    },
  },
];
