import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import net from 'node:net';
import path from 'node:path';
import { eventually, freePort } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

describe('npm run receive -- --print', () => {
  let receiver: ChildProcess;
  let url: string;
  let output = '';

  const deliver = async (body: string | Uint8Array, headers: Record<string, string> = {}) => {
    output = '';
    return (await fetch(url, { method: 'POST', body: body as RequestInit['body'], headers })).status;
  };

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    const args = [
      path.resolve(import.meta.dirname, 'receive.mjs'),
      '--port',
      String(port),
      '--secret',
      SECRET,
      '--print',
    ];
    receiver = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    receiver.stdout?.on('data', (chunk) => (output += String(chunk)));
    await eventually(() => expect(output).toContain('Receiving on'));
  });
  afterAll(() => void receiver.kill());

  it('says that a genuine delivery is valid, and shows its body', async () => {
    const body = JSON.stringify({ event_type: 'subject.verified', event_id: 'e-1', payload: { subject_id: 'sub_1' } });
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
    expect(await deliver(body, { 'x-service-signature': signature })).toBe(204);
    await eventually(() => expect(output).toContain('"subject_id": "sub_1"'));
    expect(output).toContain('subject.verified e-1: X-Service-Signature valid');
  });

  it.each<[string, string | Uint8Array]>([
    ['no body', ''],
    ['text that is not JSON', 'hello {'],
    ['JSON null', 'null'],
    ['a JSON number', '17'],
    ['a JSON array', '[]'],
    ['an object that is not an event', '{}'],
    ['bytes that are not UTF-8', new Uint8Array([0xff, 0xfe, 0x00, 0x1b, 0x5b, 0x32, 0x4a])],
  ])('answers %s and goes on', async (_, body) => {
    expect(await deliver(body)).toBe(204);
    await eventually(() => expect(output).toContain('not an event: X-Service-Signature NOT VALID'));
    expect(output).not.toContain('\x1b');
    expect(receiver.exitCode).toBeNull();
  });

  it('says that an endpoint with another path may have a secret of its own', async () => {
    const response = await fetch(new URL('/other', url), {
      method: 'POST',
      body: '{"event_type":"case.opened","event_id":"e-2"}',
    });
    expect(response.status).toBe(204);
    await eventually(() => expect(output).toContain('the endpoint "/other" may have its own: --secret'));
  });

  it('takes a signature of other characters for what it is, not valid', async () => {
    const wrong = `sha256=${'é'.repeat(64)}`;
    expect(await deliver('{}', { 'x-service-signature': wrong, 'webhook-signature': wrong })).toBe(204);
    expect(receiver.exitCode).toBeNull();
  });

  it('answers 413 to two megabytes, survives a sender that hangs up, and goes on', async () => {
    await deliver(new Uint8Array(2 * 1024 * 1024)).catch(() => undefined); // the connection may end before the answer
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', () => socket.destroy());
    await eventually(() => expect(output.match(/broke off/g)).toHaveLength(2));
    expect(await deliver('{}')).toBe(204);
  });
});
