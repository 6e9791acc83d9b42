import fs from 'node:fs';
import net from 'node:net';
import { generateApiKey } from '@constancia/auth';
import { ContractChecker, freePort, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minimalPdf, type Problem, type RunningSigning, runningSigning, seal } from './running-signing.fixture.ts';

const PDF = { 'content-type': 'application/pdf' };

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(async () => {
  await database?.drop();
});

const started: RunningSigning[] = [];
afterAll(async () => {
  for (const signing of started) await signing.close();
});

async function running(env: Record<string, string> = {}): Promise<RunningSigning> {
  const signing = await runningSigning(database, {
    env,
    check: (seen) => ContractChecker.of('signing').check(seen),
  });
  started.push(signing);
  return signing;
}

describe('while the document store cannot be reached', () => {
  test('uploads and downloads are 503 dependency-unavailable, leave nothing behind, and work again afterwards', async () => {
    const signing = await running();
    const { apiKey, id: tenantId } = await testTenant(database);
    const id = await signing.signature(apiKey, await signing.template(apiKey));
    await seal(database, signing.folder, id);
    fs.renameSync(signing.folder, `${signing.folder}.away`);
    fs.writeFileSync(signing.folder, 'not a folder');

    const upload = { key: apiKey, headers: PDF, body: minimalPdf() };
    const away = [
      await signing.call('/v1/templates?code=away', upload),
      await signing.call(`/v1/signatures/${id}/document`, { key: apiKey }),
      await signing.call(`/v1/signatures/${id}/verify`, { key: apiKey, method: 'POST' }),
    ];
    for (const { status, body, headers } of away) {
      expect(status).toBe(503);
      expect(body.type).toBe('http://platform.test/problems/dependency-unavailable');
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect(headers.has('x-document-sha256')).toBe(false);
    }
    const rows = await database.query(`select 1 from signing.template where tenant_id = $1 and code = 'away'`, [
      tenantId,
    ]);
    expect(rows).toEqual([]);

    fs.rmSync(signing.folder);
    fs.renameSync(`${signing.folder}.away`, signing.folder);
    expect((await signing.call('/v1/templates?code=away', upload)).status).toBe(201);
    expect((await signing.call(`/v1/signatures/${id}/document`, { key: apiKey })).status).toBe(200);
  });
});

describe('while Postgres cannot be reached', () => {
  test('the app starts, is not ready, and answers 503 database-unavailable', async () => {
    const signing = await running({ DATABASE_URL: `postgres://signing_app:x@127.0.0.1:${await freePort()}/none` });
    const key = generateApiKey('sandbox').plaintext;
    for (const route of ['/v1/templates', '/v1/signatures/sig_00000000000000000000000000', '/v1/signing-keys']) {
      const { status, body, headers } = await signing.call(route, { key });
      expect(status).toBe(503);
      expect(body.type).toBe('http://platform.test/problems/database-unavailable');
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect((await signing.call('/livez')).status).toBe(200);
    expect((await signing.call('/readyz')).status).toBe(503);
  });
});

describe('while the queue cannot be reached', () => {
  test('requests are accepted all the same: the sweep will find them', async () => {
    const nowhere = `redis://127.0.0.1:${await freePort()}`;
    const signing = await running({ REDIS_URL: nowhere });
    const { apiKey } = await testTenant(database);
    const templateId = await signing.template(apiKey);
    const begun = performance.now();
    await signing.signature(apiKey, templateId);
    expect(performance.now() - begun).toBeLessThan(2000);
    expect((await signing.call('/readyz')).status).toBe(503);
  });
});

describe('what is not a proper request', () => {
  test('a header of 40 KB is read, and refused as X-Placeholders that are too long', async () => {
    const signing = await running();
    const { apiKey } = await testTenant(database);
    const { status, body } = await signing.call<Problem>('/v1/templates?code=a', {
      key: apiKey,
      headers: { ...PDF, 'x-placeholders': `[${' '.repeat(40_000)}]` },
      body: minimalPdf(),
    });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ pointer: '/headers/X-Placeholders', code: 'too_long' }]);
  });

  test('a client that hangs up in the middle of an upload leaves nothing behind', async () => {
    const signing = await running();
    const { apiKey, id } = await testTenant(database);
    const { port } = new URL(signing.url);
    await new Promise<void>((resolve) => {
      const socket = net.connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST /v1/templates?code=cut HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/pdf\r\n` +
            'Content-Length: 100000\r\n\r\n%PDF-1.7\n',
        );
        setTimeout(() => socket.destroy(), 100);
      });
      socket.on('close', () => resolve());
    });
    expect(await database.query('select 1 from signing.template where tenant_id = $1', [id])).toEqual([]);
    expect((await signing.call('/livez')).status).toBe(200);
  });
});
