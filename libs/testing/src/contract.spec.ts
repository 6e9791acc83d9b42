import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { eventRecord } from '@constancia/events';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { ContractDocument } from './contract-document.ts';
import { reportUnusedOperations } from './contract-usage.ts';
import { checkedFetch } from './contract-wrappers.ts';
import { ContractChecker, ContractViolation, type SeenResponse } from './contract.ts';

// What these tests make up must not count as an operation that a test has seen.
const operations = mkdtempSync(path.join(os.tmpdir(), 'operations-'));
process.env.OPERATIONS_DIR = operations;
afterAll(() => rmSync(operations, { recursive: true, force: true }));

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'request-0001',
  'x-ratelimit-limit': '120',
  'x-ratelimit-remaining': '119',
  'x-ratelimit-reset': '1795000000',
  ratelimit: '"default";r=119;t=60',
  'ratelimit-policy': '"default";q=120;w=60',
};

const balance = { available: 960, held: 0 };

function seen(changes: Partial<Omit<SeenResponse, 'body'>> & { body?: unknown } = {}): SeenResponse {
  const { body, ...rest } = {
    method: 'GET',
    url: '/v1/billing/balance',
    status: 200,
    headers: HEADERS,
    body: balance,
    ...changes,
  };
  return { ...rest, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) };
}

function problem(status: number, slug: string, changes: object = {}) {
  return {
    status,
    headers: { ...HEADERS, 'content-type': 'application/problem+json', ...(status === 429 && { 'retry-after': '3' }) },
    body: {
      type: `http://localhost:3000/problems/${slug}`,
      title: 'A title',
      status,
      detail: 'A sentence.',
      instance: '/v1/billing/balance',
      request_id: 'request-0001',
      ...changes,
    },
  };
}

const checker = ContractChecker.of('platform');
const faults = (changes: Parameters<typeof seen>[0]): string => {
  try {
    checker.check(seen(changes));
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ContractViolation);
    return (error as Error).message;
  }
};

describe('a response is allowed', () => {
  it('when status, headers and body are as documented, whatever the query', () => {
    expect(faults({})).toBe('');
    expect(faults({ url: '/v1/billing/balance?x=1' })).toBe('');
  });

  it('when it is a documented problem, with members of its own', () => {
    expect(faults(problem(401, 'invalid-api-key'))).toBe('');
    expect(faults(problem(429, 'rate-limit-exceeded', { hint: 'x' }))).toBe('');
  });

  it('when an unknown path or method is answered by a problem that says so', () => {
    expect(faults({ url: '/nowhere', ...problem(404, 'not-found') })).toBe('');
    expect(faults({ method: 'DELETE', ...problem(405, 'method-not-allowed') })).toBe('');
  });
});

describe('a response is refused', () => {
  it('when its status is not declared', () => {
    expect(faults({ status: 418 })).toContain('does not declare status 418');
  });

  it('when its path is not declared', () => {
    expect(faults({ url: '/v2/billing/balance' })).toContain('not declared');
    expect(faults({ url: '/nowhere', status: 404, body: 'Not found' })).toContain('problem document');
  });

  it('when its body does not fit, with every fault and where it is', () => {
    const message = faults({ body: { available: '960', held: 0, owed: 3 } });
    expect(message).toContain('/available must be integer');
    expect(message).toContain('undeclared member owed');
    expect(faults({ body: { held: 0 } })).toContain("must have required property 'available'");
    expect(faults({ body: '{' })).toContain('not JSON');
  });

  it.each([
    'x-request-id',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'ratelimit',
    'ratelimit-policy',
  ])('when it lacks the header %s', (name) => {
    expect(faults({ headers: { ...HEADERS, [name]: undefined } }).toLowerCase()).toContain(`header ${name} is missing`);
  });

  it('when a header does not fit, or 429 does not say when to come back', () => {
    expect(faults({ headers: { ...HEADERS, 'x-ratelimit-reset': 'soon' } })).toContain('header X-RateLimit-Reset');
    expect(faults({ headers: { ...HEADERS, 'x-row-count': '3' } })).toContain('header x-row-count is not declared');
    expect(faults({ headers: { ...HEADERS, etag: '"1"' } })).toContain('header etag is not declared');
    expect(faults({ headers: { ...HEADERS, 'x-frame-options': 'DENY' } })).toBe('');
    const limited = problem(429, 'rate-limit-exceeded');
    expect(faults({ ...limited, headers: { ...limited.headers, 'retry-after': undefined } })).toContain(
      'Retry-After is missing',
    );
  });

  it('when its media type is not declared', () => {
    expect(faults({ headers: { ...HEADERS, 'content-type': 'text/plain' } })).toContain('content type "text/plain"');
  });

  it('when a problem is of another status, has an unknown slug or names another request', () => {
    expect(faults(problem(401, 'not-found'))).toContain('not-found is a problem of status 404');
    expect(faults(problem(401, 'no-such-slug'))).toContain('no known slug');
    expect(faults(problem(401, 'invalid-api-key', { status: 400 }))).toContain('says status 400');
    expect(faults(problem(401, 'invalid-api-key', { request_id: 'other' }))).toContain('request_id differs');
    expect(faults(problem(401, 'invalid-api-key', { detail: undefined }))).toContain('detail');
  });

  it('when a time is not UTC with milliseconds', () => {
    const document = new ContractDocument('a file', {
      openapi: '3.1.0',
      paths: {
        '/at': {
          get: {
            operationId: 'at',
            responses: {
              200: { content: { 'application/json': { schema: { type: 'string', format: 'date-time' } } } },
            },
          },
        },
      },
    });
    const times = new ContractChecker('platform', document);
    const at = (body: string) => () => times.check(seen({ url: '/at', body: JSON.stringify(body) }));
    expect(at('2026-11-21T10:00:00.000+01:00')).toThrow('date-time');
    expect(at('2026-11-21T10:00:00Z')).toThrow('date-time');
  });
});

describe('an event', () => {
  const tenantId = '019a0000-0000-7000-8000-000000000001';
  const bodyOf = (type: string, payload: Record<string, unknown>) =>
    eventRecord({ tenantId, module: 'seal', type, payload }).body;
  const payload = { endpoint_id: 'whe_01jd3v4x5pfqk8a9s7b2m0c1de', message: 'It works.' };

  it('is as documented, or every fault of it is named', () => {
    checker.checkEvent(bodyOf('endpoint.test', payload));
    expect(() => checker.checkEvent(bodyOf('endpoint.test', { message: 1, mail: 'x' }))).toThrow(
      /endpoint_id.*undeclared member mail.*message must be string/,
    );
    expect(() => checker.checkEvent('{"event_type":"nothing"}')).toThrow('not declared');
  });
});

describe('the wrappers', () => {
  it('check what fetch brings from a known host, and leave others alone', async () => {
    const server = createServer((request, response) => {
      response.writeHead(200, HEADERS).end(JSON.stringify(request.url === '/wrong' ? {} : balance));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const fetched = checkedFetch({ platform: url });
    const response = await fetched(`${url}/v1/billing/balance`);
    expect(await response.json()).toEqual(balance);
    await expect(fetched(`${url}/wrong`)).rejects.toThrow(ContractViolation);
    expect((await checkedFetch({ platform: 'http://127.0.0.1:1' })(`${url}/wrong`)).status).toBe(200);
  });
});

describe('unused operations', () => {
  it('are not those that a checked response came from', () => {
    checker.check(seen());
    const left = reportUnusedOperations().map(({ operationId }) => operationId);
    expect(left).not.toContain('showBalance');
    expect(left).toContain('showLedger');
  });

  it('are those that no test saw succeed', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'operations-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const all = reportUnusedOperations(folder);
    expect(all.map(({ operationId }) => operationId)).toContain('signUp');
    writeFileSync(path.join(folder, 'platform-1.txt'), 'signUp 409\nsignUp 201\nshowTenant 404\n');
    const left = reportUnusedOperations(folder).map(({ operationId }) => operationId);
    expect(left).not.toContain('signUp');
    expect(left).toContain('showTenant');
    expect(left).toHaveLength(all.length - 1);
  });
});
