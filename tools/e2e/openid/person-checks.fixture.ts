import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { OpenIdEnd, OpenIdState } from '@constancia/contracts';
import { freePort } from '@constancia/testing';
import * as client from 'openid-client';
import { expect } from 'vitest';
import { inStore, signUp } from '../deployment.fixture.ts';
import { blocksOf } from '../guide.fixture.ts';
import type { Check } from './check.fixture.ts';
import { REDIRECT, type RelyingParty, begun } from './relying-party.fixture.ts';

const PRICE = 32;

const asked = (claims: object) =>
  JSON.stringify({ userinfo: { verified_claims: { verification: { trust_framework: null }, claims } } });

/** A party whose tenant has so many credits. */
async function payer(party: RelyingParty, credits: number): Promise<RelyingParty> {
  const tenant = await signUp(party.stack);
  const rich = party.of(tenant);
  const spare = (await rich.balance()) - credits;
  await inStore(party.stack, 'update platform.credit_account set available = available - $2 where tenant_id = $1', [
    tenant.tenantId,
    spare,
  ]);
  return rich;
}

export const PERSON_CHECKS: Check[] = [
  {
    name: 'max-age-login',
    what: 'prompt=login asks a person who is signed in again, and the new sign-in is the one that tokens speak of',
    how: async (party) => {
      const config = await party.usual();
      const browser = party.person;
      const first = (await party.tokens(config, { max_age: '3600' }, browser)).claims()?.auth_time as number;
      const before = browser.asked.length;
      const tokens = await party.tokens(config, { prompt: 'login', max_age: '3600' }, browser);
      expect(browser.asked.slice(before).map(({ step }) => step)).toEqual(['sign_in']);
      expect(tokens.claims()?.auth_time).toBeGreaterThanOrEqual(first);
    },
  },
  {
    name: 'acr-essential',
    what: 'where the ID token has to say that a passkey was used, the page offers nothing else',
    how: async (party) => {
      const claims = JSON.stringify({ id_token: { acr: { essential: true, value: 'urn:service:acr:passkey' } } });
      const { browser, page } = await begun(party, { claims });
      expect(await browser.call(`${page}/state`)).toMatchObject({ step: 'sign_in', methods: ['passkey'] });
    },
  },
  {
    name: 'pairwise',
    what: 'a person is called the same by the clients of one tenant, and otherwise by another’s',
    how: async (party) => {
      const other = party.of(await signUp(party.stack));
      const subject = async (of: RelyingParty) => (await of.tokens(await of.usual())).claims()?.sub;
      const [first, second, foreign] = [await subject(party), await subject(party), await subject(other)];
      expect(second).toBe(first);
      expect(foreign).not.toBe(first);
    },
  },
  {
    name: 'consent-once',
    what: 'what a person agreed to once is not asked again, what is new is, and what the page names is what is given',
    how: async (party) => {
      const config = await party.configured();
      const browser = party.person;
      const before = browser.asked.length;
      const steps = () =>
        browser.asked.slice(before).map(({ step, claims }) => [step, ...claims.map(({ name }) => name)].join(' '));
      await party.tokens(config, { scope: 'openid email' }, browser);
      await party.tokens(config, { scope: 'openid email' }, browser);
      await party.tokens(config, { scope: 'openid email profile' }, browser);
      expect(steps()).toEqual(['agree email', 'agree full_name birth_date email']);
    },
  },
  {
    name: 'verified-claims-paid-once',
    what: 'verified claims are what was asked for, and cost 32 the first time alone, also for a consent that is sent eight times at once',
    how: async (party) => {
      const paying = await payer(party, 100);
      const config = await paying.usual();
      const { page } = await begun(paying, { scope: 'openid kyc' }, paying.person);
      const { nonce, text } = await paying.person.call<OpenIdState>(`${page}/state`);
      const { version, locale, sha256 } = text as NonNullable<OpenIdState['text']>;
      const { redirect_to } = await paying.person.call<OpenIdEnd>(`${page}/agree`, { nonce, version, locale, sha256 });
      const answers = await Promise.all(Array.from({ length: 8 }, () => paying.person.fetch(redirect_to)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
      expect(await paying.balance()).toBe(100 - PRICE);
      const claims = asked({ document_number: null });
      const tokens = await paying.tokens(config, { claims });
      const info = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
      expect(info.verified_claims).toEqual({
        verification: { trust_framework: 'co_sarlaft' },
        claims: { document_number: expect.stringMatching(/^\d+$/) as string },
      });
      expect(info).not.toHaveProperty('email');
      expect(await paying.balance()).toBe(100 - PRICE);
    },
  },
  {
    name: 'verified-claims-framework',
    what: 'another trust framework gets nothing, and nothing is paid',
    how: async (party) => {
      const paying = await payer(party, 100);
      const verification = { trust_framework: { value: 'eidas' } };
      const claims = JSON.stringify({ userinfo: { verified_claims: { verification, claims: { name: null } } } });
      const config = await paying.usual();
      const tokens = await paying.tokens(config, { claims });
      const info = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
      expect(info).not.toHaveProperty('verified_claims');
      expect(await paying.balance()).toBe(100);
    },
  },
  {
    name: 'verified-claims-insufficient',
    what: 'credits that do not cover the release end with temporarily_unavailable, and nothing is recorded',
    how: async (party) => {
      const poor = await payer(party, PRICE - 1);
      const { callback } = await poor.signIn(await poor.usual(), { scope: 'openid kyc' });
      expect(callback.searchParams.get('error')).toBe('temporarily_unavailable');
      expect(await poor.balance()).toBe(PRICE - 1);
      const rows = await inStore(poor.stack, 'select 1 from identity.oidc_release where tenant_id = $1', [
        poor.tenant.tenantId,
      ]);
      expect(rows).toEqual([]);
    },
  },
  {
    name: 'verified-claims-scope',
    what: 'a client without the scope gets no verified claims, by scope or by name',
    how: async (party) => {
      const config = await party.configured({ scopes: ['openid'] });
      const change = (url: URL) => url.searchParams.set('claims', asked({ name: null }));
      expect(await party.refusal(config, change)).toBe('invalid_request');
    },
  },
  {
    name: 'tenant-suspended',
    what: 'the clients of a suspended tenant stop working, and come back with it',
    how: async (party) => {
      const tenant = await signUp(party.stack);
      const theirs = party.of(tenant);
      const config = await theirs.usual();
      const suspend = (at: string) =>
        inStore(party.stack, `update platform.tenant set suspended_at = ${at} where id = $1`, [tenant.tenantId]);
      await suspend('now()');
      expect(await theirs.refusal(config, () => undefined)).toBe('400 invalid_client');
      await suspend('null');
      expect((await theirs.signIn(config)).callback.href).toContain(`${REDIRECT}?code=`);
    },
  },
  {
    name: 'consent-withdrawn',
    what: 'a person who withdraws the consent in their wallet ends every token of the application, and its tenant has one event',
    how: async (party) => {
      const config = await party.usual();
      const scope = 'openid email offline_access';
      const tokens = await party.tokens(config, { scope, prompt: 'consent' });
      const wallet = await party.person.wallet();
      const { data } = await wallet<{ data: { id: string; shared: { purpose: string } | null }[] }>('/v1/wallet/me/consents'); // prettier-ignore
      const [newest] = data;
      expect(newest?.shared?.purpose).toMatch(/^Sign in to Shop/);
      const revoke = () => wallet(`/v1/wallet/me/consents/${newest?.id}/revoke`, {});
      await Promise.all([revoke(), revoke()]);
      const events = await inStore<{ payload: object }>(
        party.stack,
        `select body::jsonb -> 'payload' as payload from platform.event where event_type = 'wallet.sign_in.revoked' and tenant_id = $1`,
        [party.tenant.tenantId],
      );
      expect(events).toEqual([
        { payload: { client_id: config.clientMetadata().client_id, sub: tokens.claims()?.sub, revoked_at: expect.any(String) as string } }, // prettier-ignore
      ]);
      await expect(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)).rejects.toThrow();
      await expect(client.refreshTokenGrant(config, tokens.refresh_token as string)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    },
  },
  {
    name: 'guide',
    what: 'the twenty lines of docs/guides/openid.md sign a person in',
    how: async (party) => {
      const port = await freePort();
      const redirect = `http://localhost:${port}/callback`;
      const { client_id, client_secret = '' } = await party.register({ redirect_uris: [redirect] });
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'relying-party-'));
      fs.writeFileSync(path.join(folder, 'program.mjs'), blocksOf('docs/guides/openid.md', 'js')[0] as string);
      const env = { ISSUER: party.issuer, CLIENT_ID: client_id, CLIENT_SECRET: client_secret, PORT: String(port) };
      const program = spawn(process.execPath, ['program.mjs'], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        await once(program.stdout, 'data');
        const { headers } = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' });
        const back = (await party.person.open(headers.get('location') as string)) as URL;
        const shown = await fetch(`http://127.0.0.1:${port}${back.pathname}${back.search}`);
        expect(await shown.json()).toMatchObject({ email: party.email, verified_claims: { verification: { trust_framework: 'co_sarlaft' } } }); // prettier-ignore
      } finally {
        program.kill();
        fs.rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];
