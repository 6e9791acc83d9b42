import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JSON_LIMITS } from './json-body.ts';
import { KEY, specApp } from '../spec-app.fixture.ts';

let app: NestFastifyApplication;

beforeAll(async () => {
  ({ app } = await specApp({ config: { rateLimitTenant: 1_000_000, rateLimitIp: 1_000_000 } }));
});
afterAll(() => app.close());

const send = (url: string, type: string | undefined, payload: string | Buffer, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'x-api-key': KEY, ...(type === undefined ? {} : { 'content-type': type }), ...headers },
    payload,
  });

describe('a body where JSON is meant', () => {
  it.each([
    'application/pdf',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('is refused as %s', async (type) => {
    const response = await send('/v1/things', type, '{"code":"a"}');
    expect(response.statusCode).toBe(415);
    expect(response.json()).toMatchObject({ detail: 'Send the body as application/json.' });
  });

  it('is refused without a content type and in another encoding', async () => {
    expect((await send('/v1/things', undefined, '{"code":"a"}')).statusCode).toBe(415);
    expect((await send('/v1/things', 'application/json; charset=latin1', '{}')).statusCode).toBe(415);
    expect((await send('/v1/things', 'application/json; charset=UTF-8', '{}')).statusCode).toBe(400);
  });

  it('is refused when it is malformed, before anything of it is looked at', async () => {
    const response = await send('/v1/things', 'application/json', '{"code":');
    expect(response.statusCode).toBe(400);
    expect(response.json().type).toContain('bad-request');
  });

  it('is bounded', async () => {
    const largest = JSON.stringify({ code: 'x'.repeat(JSON_LIMITS.bytes - 11) });
    expect(largest).toHaveLength(JSON_LIMITS.bytes);
    expect((await send('/v1/things', 'application/json', largest)).statusCode).toBe(400);
    const response = await send('/v1/things', 'application/json', `${largest} `);
    expect(response.statusCode).toBe(413);
    expect(response.json()).toMatchObject({ detail: expect.stringContaining('1048576 bytes') });
  });

  it('is not read without a key', async () => {
    const response = await send('/v1/things', 'application/json', '{', { 'x-api-key': 'test_wrong' });
    expect(response.statusCode).toBe(401);
  });
});

describe('a body where a PDF is meant', () => {
  it('reaches the handler byte for byte', async () => {
    expect((await send('/v1/pdf', 'application/pdf', Buffer.alloc(1024, 0xff))).json()).toEqual({ bytes: 1024 });
    expect((await send('/v1/pdf', 'Application/PDF; version=1.7', 'abc')).json()).toEqual({ bytes: 3 });
  });

  it('is refused as anything else', async () => {
    for (const type of ['application/json', 'application/octet-stream', undefined]) {
      const response = await send('/v1/pdf', type, '{}');
      expect(response.statusCode).toBe(415);
      expect(response.json().detail).toContain('application/pdf');
    }
    expect((await send('/v1/pdf', undefined, '')).statusCode).toBe(415);
    const nameless = await send('/v1/pdf', 'no type at all', '%PDF-');
    expect(nameless.json()).toMatchObject({ status: 415, detail: 'Send the body as application/pdf.' });
  });

  it('is refused when it is empty, unless it may be left out', async () => {
    expect((await send('/v1/pdf', 'application/pdf', '')).statusCode).toBe(400);
    expect((await send('/v1/maybe-pdf', 'application/pdf', '')).json()).toEqual({ bytes: null });
    expect((await send('/v1/maybe-pdf', undefined, '')).json()).toEqual({ bytes: null });
    expect((await send('/v1/maybe-pdf', 'application/pdf', 'abc')).json()).toEqual({ bytes: 3 });
  });

  it('is refused one byte over its limit', async () => {
    const response = await send('/v1/pdf', 'application/pdf', Buffer.alloc(1025));
    expect(response.statusCode).toBe(413);
    expect(response.json().detail).toContain('1024 bytes');
  });
});

describe('a body that is left out', () => {
  it.each(['application/json', 'application/pdf', 'application/x-www-form-urlencoded'])(
    'has no wrong type: %s',
    async (type) => {
      const headers = { 'content-length': '0' };
      expect((await send('/v1/maybe-pdf', type, '', headers)).json()).toEqual({ bytes: null });
      expect((await send('/tenants/x/rotate', type, '', headers)).json()).toMatchObject({ grace_seconds: null });
      expect((await send('/v1/things', type, '', headers)).statusCode).toBe(400);
    },
  );

  it('still has one where it is required to be a PDF', async () => {
    expect((await send('/v1/pdf', 'application/json', '', { 'content-length': '0' })).statusCode).toBe(415);
  });
});
