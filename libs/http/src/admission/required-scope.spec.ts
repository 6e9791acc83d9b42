import { Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Scope } from '@constancia/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AllowInGrace,
  AnyScope,
  CurrentPrincipal,
  CurrentTenant,
  type Principal,
  OwnersOnly,
  RequireEveryScope,
  RequireScope,
  type Tenant,
} from '../index.ts';
import { KEY, PRINCIPAL, specApp, TENANT } from '../spec-app.fixture.ts';

@Controller('v1')
class Scoped {
  @Get('read')
  @RequireScope('signing:read')
  read(@CurrentPrincipal() { kind, name }: Principal, @CurrentTenant() tenant: Tenant) {
    return { kind, name, tenant: tenant.id };
  }

  @Get('either')
  @RequireScope('keys:write', 'audit:read')
  either() {
    return {};
  }

  @Get('both')
  @RequireEveryScope('identity:read', 'members:write')
  both() {
    return {};
  }

  @Get('both-lost')
  @RequireEveryScope('keys:write', 'members:write')
  bothLost() {
    return {};
  }

  @Get('owners')
  @OwnersOnly()
  @RequireScope('signing:read')
  owners() {
    return {};
  }

  @Get('any')
  @AnyScope()
  any() {
    return {};
  }

  @Post('keys')
  @RequireScope('keys:write')
  keys() {
    return {};
  }

  @Post('own-rotation')
  @HttpCode(200)
  @RequireScope('keys:write')
  @AllowInGrace()
  ownRotation() {
    return {};
  }
}

@Module({ controllers: [Scoped] })
class ScopedModule {}

@Controller('v1')
class Unscoped {
  @Get('open-by-mistake')
  open() {
    return {};
  }
}

@Module({ controllers: [Unscoped] })
class UnscopedModule {}

const MEMBER = 'mbt_right';

let app: NestFastifyApplication | undefined;
afterEach(() => app?.close());

/** Calls a route with the key or the member token of a principal. */
async function callerOf(change: Partial<Omit<Principal, 'scopes'>> & { scopes?: Scope[] } = {}) {
  const spec = await specApp({}, ScopedModule);
  ({ app } = spec);
  const principal = { ...PRINCIPAL, ...change, scopes: new Set(change.scopes ?? PRINCIPAL.scopes) };
  const text = principal.kind === 'key' ? KEY : MEMBER;
  spec.keys.principals.set(`${principal.kind} ${text}`, principal);
  const headers: Record<string, string> =
    principal.kind === 'key' ? { 'x-api-key': KEY } : { authorization: `Bearer ${MEMBER}` };
  return {
    ...spec,
    call: (method: 'GET' | 'POST', url: string, others: Record<string, string> = headers) =>
      spec.app.inject({ method, url, headers: others }),
  };
}

describe('a route that requires a scope', () => {
  it('lets a key with the scope in, and tells the handler who it is', async () => {
    const { call } = await callerOf({ scopes: ['signing:read'] });
    expect((await call('GET', '/v1/read')).json()).toEqual({ kind: 'key', name: 'default', tenant: TENANT.id });
  });

  it('is 403 forbidden without it, naming the scope, with the headers of its limit', async () => {
    const { call } = await callerOf({ scopes: ['signing:write'] });
    const answer = await call('GET', '/v1/read');
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({
      type: expect.stringMatching(/\/problems\/forbidden$/),
      detail: 'This operation needs the scope signing:read, which this API key does not have.',
    });
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
  });

  it('is 403 for a member, naming the scope and the role', async () => {
    const { call } = await callerOf({ kind: 'member', name: 'Ana', role: 'analyst', scopes: ['compliance:read'] });
    expect((await call('GET', '/v1/read')).json().detail).toBe(
      'This operation needs the scope signing:read, which the role analyst does not have.',
    );
    expect((await call('GET', '/v1/any')).statusCode).toBe(200);
  });

  it('is satisfied by one of several', async () => {
    const { call } = await callerOf({ scopes: ['audit:read'] });
    expect((await call('GET', '/v1/either')).statusCode).toBe(200);
    expect((await call('POST', '/v1/keys')).statusCode).toBe(403);
  });
});

describe('a route that requires every scope', () => {
  it('is 403 for a key that lacks one, naming those that it lacks', async () => {
    const { call } = await callerOf({ scopes: ['signing:read'] });
    expect((await call('GET', '/v1/both')).json().detail).toContain('the scope identity:read and members:write, which');
  });

  it('lets a key with all of them in', async () => {
    const { call } = await callerOf({ scopes: ['identity:read', 'members:write'] });
    expect((await call('GET', '/v1/both')).statusCode).toBe(200);
  });

  it('is 403 for a key with one of them', async () => {
    const { call } = await callerOf({ scopes: ['identity:read'] });
    expect((await call('GET', '/v1/both')).json().detail).toContain('the scope members:write, which');
  });

  it('is 403 in the grace of a key that has lost one of them', async () => {
    const { call } = await callerOf({ inGrace: true });
    expect((await call('GET', '/v1/both')).json().detail).toContain('it has lost the scope members:write:');
  });

  it('is 403 in the grace of a key that has lost all of them, naming each', async () => {
    const { call } = await callerOf({ inGrace: true });
    expect((await call('GET', '/v1/both-lost')).json().detail).toContain(
      'it has lost the scope keys:write and members:write:',
    );
  });
});

describe('a route for owners', () => {
  it.each([
    ['owner', 200],
    ['admin', 403],
  ] as const)('answers the %s %i', async (role, status) => {
    const { call } = await callerOf({ kind: 'member', role, scopes: ['signing:read'] });
    expect((await call('GET', '/v1/owners')).statusCode).toBe(status);
  });

  it('lets a key with the scope in', async () => {
    const { call } = await callerOf({ scopes: ['signing:read'] });
    expect((await call('GET', '/v1/owners')).statusCode).toBe(200);
  });
});

describe('a key in its grace', () => {
  it('keeps its scopes but those for keys and members, except where the route allows it', async () => {
    const { call } = await callerOf({ inGrace: true });
    expect((await call('GET', '/v1/read')).statusCode).toBe(200);
    expect((await call('GET', '/v1/either')).statusCode).toBe(200); // by audit:read
    const refused = await call('POST', '/v1/keys');
    expect(refused.statusCode).toBe(403);
    expect(refused.json().detail).toMatch(
      /in its grace period, in which it has lost the scope keys:write: use the current key/,
    );
    expect((await call('POST', '/v1/own-rotation')).statusCode).toBe(200);
  });
});

describe('a member token', () => {
  it('is accepted as a bearer token wherever a key is', async () => {
    const { call } = await callerOf({ kind: 'member', name: 'Ana', role: 'sender', scopes: ['signing:read'] });
    expect((await call('GET', '/v1/read')).json()).toEqual({ kind: 'member', name: 'Ana', tenant: TENANT.id });
  });

  it('is 401 unauthorized when it is nobody’s, and counts as a wrong key does', async () => {
    const { call, limiter } = await callerOf({ kind: 'member', role: 'sender' });
    const answer = await call('GET', '/v1/read', { authorization: 'Bearer mbt_wrong' });
    expect(answer.statusCode).toBe(401);
    expect(answer.json().type).toMatch(/\/problems\/unauthorized$/);
    expect(limiter.used.get('wrong-key:ip:127.0.0.1')).toBe(1);
  });

  it('is no key, and a key is no member token', async () => {
    const { call } = await callerOf({ kind: 'member', role: 'sender' });
    expect((await call('GET', '/v1/any', { 'x-api-key': MEMBER })).statusCode).toBe(401);
    expect((await call('GET', '/v1/any', { authorization: `Bearer ${KEY}` })).statusCode).toBe(401);
  });
});

it('an app with a route that states no scope does not start', async () => {
  await expect(specApp({}, UnscopedModule)).rejects.toThrow(/GET \/v1\/open-by-mistake states no scope/);
});
