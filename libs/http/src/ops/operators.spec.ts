import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sleep } from '@constancia/kernel';
import { StateConflict } from '@constancia/problem-json';
import { type OpsCaller, opsServer, type OpsServer, type OpsServerOptions } from '@constancia/telemetry';
import { Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SpecApp, specApp } from '../spec-app.fixture.ts';
import { Caller, OpsController, OpsOperation } from './ops-controller.ts';
import { OpsModule } from './ops-index.ts';
import { opsApiOf } from './ops-listener.ts';

const ANA = 'ana-has-a-token-of-32-random-bytes';
const BEA = 'bea-has-another-one-of-32-bytes-too';
const entry = (name: string, token: string, roles: string[]) => ({
  name,
  sha256: createHash('sha256').update(token).digest('hex'),
  roles,
});

@OpsController('ops')
class Things {
  @Get('thing')
  @OpsOperation('says who asks')
  show(@Caller() { name, isPerson }: OpsCaller) {
    return { operator: name, isPerson };
  }

  @Post('thing')
  @HttpCode(200)
  @OpsOperation('acts')
  act(@Caller() { name }: OpsCaller) {
    return { operator: name };
  }

  @Post('credits')
  @OpsOperation('grants', { role: 'grant' })
  grant() {
    return {};
  }

  @Post('things/:id')
  @HttpCode(202)
  @OpsOperation('does a thing')
  do(@Param('id') id: string) {
    if (id === '13') throw new Error('thirteen');
    if (id === '14') throw new StateConflict('It is done already.');
    return { id };
  }
}

@Module({ imports: [OpsModule], controllers: [Things] })
class ThingsModule {}

let folder: string;
let file: string;
let spec: SpecApp;
let server: OpsServer | undefined;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'operators-'));
  file = path.join(folder, 'operators.json');
  fs.writeFileSync(file, JSON.stringify([entry('ana', ANA, ['read', 'act']), entry('bea', BEA, ['read'])]));
  spec = await specApp({}, ThingsModule);
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await spec.app.close();
  fs.rmSync(folder, { recursive: true });
});

async function start(options: Partial<OpsServerOptions> = { tokensFile: file }) {
  const api = opsApiOf(spec.app.getHttpAdapter().getInstance());
  const { logger } = spec;
  server = await opsServer({ port: 0, readiness: {}, metrics: spec.metrics, logger, name: 'spec', api, ...options });
  return async (method: string, where: string, token?: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${server?.port}/${where}`, {
      method,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    });
    const text = await response.text();
    return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : text) as { error?: string } };
  };
}

describe('an operator', () => {
  it('is who the token says, whatever X-Operator says', async () => {
    const call = await start();
    const { status, body } = await call('GET', 'ops/thing', ANA, { 'x-operator': 'bea' });
    expect([status, body]).toEqual([200, { operator: 'ana', isPerson: true }]);
  });

  it('does what the roles allow, and nothing else', async () => {
    const call = await start();
    expect((await call('POST', 'ops/thing', ANA)).status).toBe(200);
    const refused = await call('POST', 'ops/thing', BEA);
    expect([refused.status, refused.body.error]).toEqual([403, 'This needs the role act; bea has read.']);
    expect((await call('POST', 'ops/credits', ANA)).status).toBe(403);
  });

  it('with the one token of OPS_TOKEN is nobody in particular in production', async () => {
    const call = await start({ token: ANA, trustsNames: false });
    const { body } = await call('GET', 'ops/thing', ANA, { 'x-operator': 'bea' });
    expect(body).toEqual({ operator: 'shared-token', isPerson: false });
  });

  it('whose token is removed from the file is refused after about a second, without a restart', async () => {
    const call = await start();
    expect((await call('GET', 'ops/thing', BEA)).status).toBe(200);
    fs.writeFileSync(file, JSON.stringify([entry('ana', ANA, ['read'])]));
    await sleep(1_050);
    expect((await call('GET', 'ops/thing', BEA)).status).toBe(401);
    expect((await call('GET', 'ops/thing', ANA)).status).toBe(200);
  });

  it('reads what the process offers', async () => {
    const call = await start();
    const { body } = await call('GET', 'ops', BEA);
    expect(body).toMatchObject({ module: 'spec', operator: { name: 'bea', roles: ['read'] } });
    expect(body).toHaveProperty('actions');
    expect((body as { actions: object[] }).actions).toContainEqual({
      ...{ method: 'POST', path: '/ops/things/:id', about: 'does a thing', role: 'act' },
    });
    expect((await call('GET', 'ops')).status).toBe(401);
  });
});

describe('an operation', () => {
  it('needs a token, and its refusals are one sentence', async () => {
    const call = await start();
    expect((await call('POST', 'ops/things/1')).status).toBe(401);
    expect(await call('POST', 'ops/things/1', ANA)).toMatchObject({ status: 202, body: { id: '1' } });
    const failed = await call('POST', 'ops/things/13', ANA);
    expect([failed.status, failed.body]).toEqual([500, { error: 'This failed; the log of the process says why.' }]);
    const refused = await call('POST', 'ops/things/14', ANA);
    expect([refused.status, refused.body]).toEqual([409, { error: 'It is done already.' }]);
    expect((await call('GET', 'ops/things/1', ANA)).status).toBe(405);
    expect((await call('GET', 'livez')).status).toBe(200);
  });

  it('refuses a name that the audit log cannot keep', async () => {
    const call = await start({ token: ANA });
    expect((await call('POST', 'ops/thing', ANA, { 'x-operator': 'señora\t' })).status).toBe(400);
    expect((await call('POST', 'ops/thing', ANA, { 'x-operator': 'eva' })).body).toEqual({ operator: 'eva' });
  });

  it('is nothing in a process without a token', async () => {
    const call = await start({});
    expect((await call('POST', 'ops/things/1', 'undefined')).status).toBe(405);
  });
});

describe('a wrong token', () => {
  it('is slowed down, counted and logged without itself', async () => {
    const call = await start();
    const from = performance.now();
    for (const wrong of ['x'.repeat(43), 'y'.repeat(43), 'z'.repeat(43)]) {
      expect((await call('GET', 'ops/thing', wrong)).status).toBe(401);
    }
    expect(performance.now() - from).toBeGreaterThan(650); // 100 + 200 + 400 ms
    expect(await spec.metrics.text()).toContain('ops_wrong_tokens_total{app="spec"} 3');
    const logged = spec.log.map((line) => JSON.parse(line) as object).filter((line) => 'ops_address' in line);
    const at = { ops_address: '127.0.0.1', route: '/ops/thing' };
    expect(logged).toMatchObject([1, 2, 3].map((count) => ({ ...at, count })));
    expect(spec.log.join()).not.toMatch(/xxx|yyy|zzz/);
    expect((await call('GET', 'ops/thing', ANA)).status).toBe(200);
  });
});
