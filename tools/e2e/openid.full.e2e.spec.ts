import type { TestStack } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantCredits, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';
import { CLIENT_CHECKS } from './openid/client-checks.fixture.ts';
import { PAGE_CHECKS } from './openid/page-checks.fixture.ts';
import { personWithWallet } from './openid/person.fixture.ts';
import { PersonBrowser } from './openid/person-browser.fixture.ts';
import { PERSON_CHECKS } from './openid/person-checks.fixture.ts';
import { RelyingParty } from './openid/relying-party.fixture.ts';
import { REQUEST_CHECKS } from './openid/request-checks.fixture.ts';
import { TOKEN_CHECKS } from './openid/token-checks.fixture.ts';

/** Every check, by its name. docs/guides/openid.md says what they are for. */
const CHECKS = [...REQUEST_CHECKS, ...CLIENT_CHECKS, ...TOKEN_CHECKS, ...PAGE_CHECKS, ...PERSON_CHECKS];

const EMAIL = 'ana@canary.example';

describe('the OpenID provider of the bundle', () => {
  let stack: TestStack;
  let party: RelyingParty;

  beforeAll(async () => {
    const env = { ...NO_LIMITS, RATE_LIMIT_SIGN_IN: '1000000', TRUSTED_PROXY_HOPS: '1' };
    stack = await startDeployment({ apps: ['platform'], env });
    const tenant = await signUp(stack);
    await grantCredits(stack, tenant);
    await personWithWallet(stack, tenant, EMAIL);
    const person = new PersonBrowser(stack, EMAIL);
    party = new RelyingParty(stack, tenant, person, EMAIL);
    await party.signIn(await party.configured(), {}, person);
  }, 300_000);
  afterAll(() => stack?.close());

  it('is held to at least 60 checks, each with a name of its own', () => {
    expect(new Set(CHECKS.map(({ name }) => name)).size).toBe(CHECKS.length);
    expect(CHECKS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(CHECKS.map(({ name, what, how }) => [name, what, how] as const))(
    '%s: %s',
    async (_name, _what, how) => {
      await how(party);
    },
    60_000,
  );

  it('logs no code, no token and no secret', () => {
    expect(stack.logs()).not.toMatch(/ocs_[A-Za-z0-9]|[?&]code=|ticket=|eyJ[A-Za-z0-9_-]{20}/);
  });
});
