import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, specApp } from '../spec-app.fixture.ts';

let app: NestFastifyApplication;

beforeAll(async () => {
  ({ app } = await specApp({ config: { rateLimitTenant: 1_000_000 } }));
});
afterAll(() => app.close());

async function post(body: unknown) {
  const response = await app.inject({
    method: 'POST',
    url: '/v1/things',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const document = response.json() as { type: string; errors?: { pointer: string; code: string; detail: string }[] };
  return { status: response.statusCode, document, errors: document.errors ?? [] };
}

const get = (query: string) => app.inject({ method: 'GET', url: `/v1/things${query}`, headers: { 'x-api-key': KEY } });

const codes = (errors: { pointer: string; code: string }[]) => errors.map(({ pointer, code }) => `${pointer} ${code}`);

const VALID = { code: 'loan', signers: [{ role: 'borrower', email: 'ana@example.co' }] };

describe('a wrong header', () => {
  it('is reported together with the errors of the body, and alone when the body is right', async () => {
    const send = async (payload: object) => {
      const headers = { 'x-api-key': KEY, 'idempotency-key': 'mine' };
      const response = await app.inject({ method: 'POST', url: '/v1/things', headers, payload });
      return {
        status: response.statusCode,
        errors: (response.json() as { errors: { pointer: string; code: string }[] }).errors,
      };
    };
    const both = await send({ ...VALID, size: '3' });
    expect(both.status).toBe(400);
    expect(codes(both.errors)).toEqual(['/headers/Idempotency-Key wrong_format', '/size wrong_type']);
    expect(codes((await send(VALID)).errors)).toEqual(['/headers/Idempotency-Key wrong_format']);
  });
});

describe('a body', () => {
  it('that keeps the rules reaches the handler as it is', async () => {
    expect(await post({ ...VALID, size: 3, kinds: ['a'] })).toMatchObject({
      status: 201,
      document: { ...VALID, size: 3, kinds: ['a'], key: null },
    });
  });

  it('gets everything that is wrong with it at once, with pointers', async () => {
    const { status, document, errors } = await post({
      code: 'Not Good',
      size: '3',
      tenant_id: 'mine',
      signers: [{ role: 'x'.repeat(21), email: 'nobody', 'a/b~c': 1 }, 'text', null, { email: 'ana@example.co' }],
      kinds: ['a', 'z'],
    });
    expect(status).toBe(400);
    expect(document.type).toBe('https://api.example.test/problems/validation-error');
    expect(codes(errors)).toEqual([
      '/code wrong_format',
      '/kinds not_allowed',
      '/signers too_many',
      '/signers/0/a~1b~0c unknown_member',
      '/signers/0/email wrong_format',
      '/signers/0/role too_long',
      '/signers/1 wrong_type',
      '/signers/2 wrong_type',
      '/signers/3/role required',
      '/size wrong_type',
      '/tenant_id unknown_member',
    ]);
    for (const { detail } of errors) expect(detail).toMatch(/^[A-Z].*\.$/);
    const role = errors.find(({ pointer }) => pointer === '/signers/0/role');
    expect(role?.detail).toBe('Must be shorter than or equal to 20 characters.'); // the console reads the limit in it
  });

  it.each([
    [{ ...VALID, size: '3' }, '/size wrong_type'],
    [{ ...VALID, size: true }, '/size wrong_type'],
    [{ ...VALID, size: 1.5 }, '/size wrong_type'],
    [{ ...VALID, size: null }, '/size wrong_type'],
    [{ ...VALID, code: 5 }, '/code wrong_type'],
    [{ ...VALID, code: ['loan'] }, '/code wrong_type'],
    [{ ...VALID, signers: VALID.signers[0] }, '/signers wrong_type'],
    [{ ...VALID, signers: 'x' }, '/signers wrong_type'],
    [{ ...VALID, signers: [[VALID.signers[0]]] }, '/signers/0 wrong_type'],
    [{ ...VALID, kinds: 'a' }, '/kinds wrong_type'],
    [{ ...VALID, kinds: null }, '/kinds wrong_type'],
  ])('is never converted: %j', async (body, expected) => {
    const { status, errors } = await post(body);
    expect(status).toBe(400);
    expect(codes(errors)).toEqual([expected]);
  });

  it.each(['null', '5', '"text"', '[]', '[{}]', 'true'])('must be an object: %s', async (body) => {
    const { status, errors } = await post(body);
    expect(status).toBe(400);
    expect(codes(errors)).toEqual([' wrong_type']);
  });

  it('that is empty lacks what is required, and nothing where nothing is', async () => {
    const { status, errors } = await post('');
    expect(status).toBe(400);
    expect(codes(errors)).toEqual(['/code required', '/signers required']);
    const rotated = await app.inject({ method: 'POST', url: '/tenants/1/rotate', headers: { 'x-api-key': KEY } });
    expect(rotated.statusCode).toBe(200);
  });

  it('of a thousand unknown members is refused with the first hundred', async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`m${i}`, i]));
    const { status, errors } = await post({ ...VALID, ...many });
    expect(status).toBe(400);
    expect(errors).toHaveLength(100);
  });
});

describe('a query', () => {
  it('has its numbers read and its defaults filled in', async () => {
    expect((await get('?limit=5&status=open')).json()).toMatchObject({ limit: 5, status: 'open' });
    expect((await get('')).json()).toMatchObject({ limit: 20 });
    expect((await get('?cursor=&limit=')).json()).toMatchObject({ limit: 20 });
  });

  it.each([
    ['?limit=0', '/query/limit out_of_range'],
    ['?limit=101', '/query/limit out_of_range'],
    ['?limit=1e1', '/query/limit wrong_type'],
    ['?limit=0x10', '/query/limit wrong_type'],
    ['?limit=%2010', '/query/limit wrong_type'],
    ['?limit=Infinity', '/query/limit wrong_type'],
    ['?limit=2.5', '/query/limit wrong_type'],
    ['?limit=1&limit=2', '/query/limit wrong_type'],
    ['?status=open&status=shut', '/query/status wrong_type'],
    ['?status=ajar', '/query/status not_allowed'],
    ['?cursor=***', '/query/cursor wrong_format'],
    ['?stauts=open', '/query/stauts unknown_member'],
    ['?__proto__=1', '/query/__proto__ unknown_member'],
  ])('is refused for %s', async (query, expected) => {
    const response = await get(query);
    expect(response.statusCode).toBe(400);
    expect(codes(response.json().errors)).toEqual([expected]);
  });
});

describe('an Idempotency-Key', () => {
  const send = (key: string, url = '/v1/things') =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'x-api-key': KEY, 'idempotency-key': key },
      payload: VALID,
    });
  const UUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

  it.each([UUID, `"${UUID}"`, UUID.toUpperCase()])('reaches the handler bare and in lower case: %s', async (key) => {
    expect((await send(key)).json().key).toBe(UUID);
  });

  it.each(['abc', `${UUID}x`, `"${UUID}`, '""', ' ', `${UUID}, ${UUID}`])(
    'that is no UUID is refused: %j',
    async (key) => {
      const response = await send(key);
      expect(response.statusCode).toBe(400);
      expect(codes(response.json().errors)).toEqual(['/headers/Idempotency-Key wrong_format']);
    },
  );

  it('is ignored where nothing is charged', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/tenants/1/rotate',
      headers: { 'x-api-key': KEY, 'idempotency-key': 'abc' },
    });
    expect(response.statusCode).toBe(200);
  });
});
