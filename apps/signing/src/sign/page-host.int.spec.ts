import { listenForPages } from '@constancia/http';
import { ContractChecker, ContractDocument, testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';

let database: TestDatabase;
let running: RunningSigning;
let pages: string;

beforeAll(async () => {
  database = await testDatabase();
  running = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
  pages = `http://127.0.0.1:${await listenForPages(running.app)}`;
});

afterAll(async () => {
  await running?.close();
  await database?.drop();
});

/** What the host of the pages answers of the API: what its pages ask for, what stands on certificates, and the probes. */
const ALSO_THERE =
  /^(GET \/livez|GET \/readyz|\w+ \/v1\/(sign|embed\/sessions)\/\{token\}.*|GET \/v1\/verify\/.*|GET \/keys\/\{fingerprint\}\.(pem|crt))$/;
/** Of a path that no host, or another API host, serves. */
const NO_ROUTE = /^(No such path\.|This host has no such path\.)/;

describe('the host of the pages', () => {
  const operations = ContractDocument.load('signing').operations.map(({ method, path }) => [method, path] as const);

  test.each(operations)('%s %s', async (method, path) => {
    const response = await fetch(`${pages}${path.replace(/\{\w+\}/g, 'x')}`, { method });
    const problem = (response.headers.get('content-type') ?? '').includes('problem');
    const { detail = '' } = problem ? ((await response.json()) as Problem) : {};
    const there = ALSO_THERE.test(`${method} ${path}`);
    expect(NO_ROUTE.test(detail) ? 'no such path' : 'answered').toBe(there ? 'answered' : 'no such path');
    if (!there) expect(response.status).toBe(404);
  });

  test('and that of the API has no pages', async () => {
    for (const path of ['/verify', '/verify/x', `/${'A'.repeat(43)}`, '/assets/x.js']) {
      expect([path, (await fetch(`${running.url}${path}`)).status]).toEqual([path, 404]);
    }
  });
});
