import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPlatformClient, createSigningClient } from './clients.ts';

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** A host that answers 200 with the same JSON to everything, after `refusals` answers of 429. */
async function host(answer: object, refusals = 0) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks) });
      const refused = seen.length <= refusals;
      response.writeHead(refused ? 429 : 200, { 'content-type': 'application/json', 'retry-after': '0' });
      response.end(JSON.stringify(answer));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

describe('a client', () => {
  it('sends the key and a typed body, and types the answer', async () => {
    const { baseUrl, seen } = await host({ id: 'sig_1', status: 'pending' });
    const signing = createSigningClient({ baseUrl, apiKey: 'test_key' });
    const { data } = await signing.POST('/v1/signatures', {
      params: { header: { 'Idempotency-Key': '5f0c2f1e-63a5-4a0e-9b39-1f2d3c4b5a69' } },
      body: { template_id: 'tpl_1', subject_ref: 'order-1', merge_data: { name: 'Ana Gómez' } },
    });
    const status: string | undefined = data?.status;
    expect(status).toBe('pending');
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/v1/signatures' });
    expect(seen[0]?.headers).toMatchObject({
      'x-api-key': 'test_key',
      'content-type': 'application/json',
      'idempotency-key': '5f0c2f1e-63a5-4a0e-9b39-1f2d3c4b5a69',
    });
    expect(JSON.parse(String(seen[0]?.body))).toMatchObject({ merge_data: { name: 'Ana Gómez' } });
  });

  it('sends a PDF byte for byte, as application/pdf', async () => {
    const { baseUrl, seen } = await host({ id: 'tpl_1' });
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from([0, 255, 128, 13, 10])]);
    await createSigningClient({ baseUrl, apiKey: 'k' }).POST('/v1/templates', {
      params: { query: { code: 'a' } },
      body: pdf,
    });
    expect(seen[0]?.url).toBe('/v1/templates?code=a');
    expect(seen[0]?.headers['content-type']).toBe('application/pdf');
    expect(seen[0]?.body.equals(pdf)).toBe(true);
  });

  it('needs no key for public operations and sends none', async () => {
    const { baseUrl, seen } = await host({});
    await createPlatformClient({ baseUrl }).GET('/livez');
    expect(seen[0]?.headers).not.toHaveProperty('x-api-key');
    expect(seen[0]?.headers).not.toHaveProperty('content-type');
  });

  it('waits and tries again when the service says so, or not at all', async () => {
    const busy = await host({ available: 1, held: 0 }, 2);
    const { data } = await createPlatformClient({ baseUrl: busy.baseUrl, apiKey: 'k' }).GET('/v1/billing/balance');
    expect(data?.available).toBe(1);
    expect(busy.seen).toHaveLength(3);

    const once = await host({}, 1);
    const client = createPlatformClient({ baseUrl: once.baseUrl, apiKey: 'k', retries: false });
    expect((await client.GET('/v1/billing/balance')).response.status).toBe(429);
    expect(once.seen).toHaveLength(1);
  });

  it('does not compile with a path, parameter or member that does not exist', () => {
    const platform = createPlatformClient({ baseUrl: 'http://127.0.0.1:1' });
    const signing = createSigningClient({ baseUrl: 'http://127.0.0.1:1' });
    const wrong = [
      // @ts-expect-error no such path
      () => platform.GET('/v1/nothing'),
      // @ts-expect-error code is required
      () => signing.POST('/v1/templates', { params: { query: {} }, body: new Uint8Array() }),
      // @ts-expect-error template_id is a string
      () => signing.POST('/v1/signatures', { body: { template_id: 1, subject_ref: 'x', merge_data: {} } }),
    ];
    expect(wrong).toHaveLength(3); // the compiler is the test
  });
});
