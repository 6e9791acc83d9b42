import { createHmac, timingSafeEqual } from 'node:crypto';
import http from 'node:http';

/**
 * Opens a webhook receiver on loopback that keeps what arrives and answers 204.
 * @returns {Promise<{ url: string, arrived(matches: (event: object) => boolean, timeoutMs: number): Promise<Arrival>, close(): void }>}
 *
 * @typedef {{ headers: http.IncomingHttpHeaders, body: Buffer, event: object }} Arrival
 */
export async function openReceiver() {
  /** @type {Arrival[]} */
  const arrivals = [];
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    response.writeHead(204).end();
    try {
      arrivals.push({ headers: request.headers, body, event: JSON.parse(body.toString('utf8')) });
    } catch {
      // not an event: somebody else knocked
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    async arrived(matches, timeoutMs) {
      for (const deadline = Date.now() + timeoutMs; ;) {
        const found = arrivals.find((arrival) => matches(arrival.event));
        if (found) return found;
        if (Date.now() > deadline) throw new Error(`the webhook did not arrive within ${timeoutMs / 1000} s`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Compares in constant time, as bytes: two texts of one length may have different numbers of them. */
function same(a, b) {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Whether X-Service-Signature is the HMAC of these very bytes. */
export function serviceSignatureHolds({ headers, body }, secret) {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return same(String(headers['x-service-signature'] ?? ''), expected);
}

/** Whether the Standard Webhooks headers (webhook-id, webhook-timestamp, webhook-signature) hold for these very bytes. */
export function standardSignatureHolds({ headers, body }, secret) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const id = String(headers['webhook-id'] ?? '');
  const timestamp = String(headers['webhook-timestamp'] ?? '');
  const expected = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  const fresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  return (
    fresh &&
    String(headers['webhook-signature'] ?? '')
      .split(' ')
      .some((one) => same(one, expected))
  );
}
