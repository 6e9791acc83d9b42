import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gunzipSync } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenForPages, type PageHost } from '../index.ts';
import { contextOf } from '../server/server-context.ts';
import { drainHttp } from '../server/serve.ts';
import { TENANT, specApp } from '../spec-app.fixture.ts';

const TOKEN = 'canary-Zk3vY8qLr5TnW1xBc7DfGh2JmPsUa4Ee6Ii9';
const SCRIPT = `console.log(${JSON.stringify('a'.repeat(4_000))})`;

let folder: string;
let app: NestFastifyApplication | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'page-'));
  mkdirSync(path.join(folder, 'web/assets/viewer-1'), { recursive: true });
  writeFileSync(path.join(folder, 'outside.txt'), 'outside');
  const put = (name: string, bytes: string | Buffer) => writeFileSync(path.join(folder, 'web', name), bytes);
  put('index.html', '<!doctype html><title>Sign</title>');
  put('verify.html', '<!doctype html><title>Verify</title>');
  put('assets/sign-1a2b3c4d.js', SCRIPT);
  put('assets/look-1a2b3c4d.css', 'p{}');
  put('assets/look-1a2b3c4d.css.br', brotliCompressSync('p{}'));
  for (const name of ['a.wasm', 'a.woff2', 'a.svg', 'a.json', 'viewer-1/a.bcmap', 'viewer-1/a.pfb', 'viewer-1/a.ttf']) {
    put(`assets/${name}`, 'bytes');
  }
  symlinkSync(path.join(folder, 'outside.txt'), path.join(folder, 'web/assets/link.txt'));
});
afterEach(async () => {
  await app?.close();
  app = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function listening(web = path.join(folder, 'web'), more: Partial<PageHost> = {}) {
  const pages = { '/:token': 'index.html', '/verify': 'verify.html', '/verify/:public_id': 'verify.html' };
  const spec = await specApp({ pageHosts: { page: { port: 0, folders: ['/nowhere', web], pages, ...more } } });
  app = spec.app;
  spec.links.known.set(TOKEN, { tenantId: TENANT.id, standing: 'active' });
  await spec.app.listen(0, '127.0.0.1');
  const apiPort = (spec.app.getHttpServer().address() as AddressInfo).port;
  const pagePort = await listenForPages(spec.app);
  const page = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
    got(pagePort, method, target, headers);
  const api = (target: string, method = 'GET') => got(apiPort, method, target, {});
  return { ...spec, pagePort, page, api };
}

interface Got {
  status: number;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
  json: { detail: string; instance: string };
}

/** As it is: fetch would tidy the path up and unpack the body. */
function got(port: number, method: string, target: string, headers: Record<string, string>): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, method, path: target, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const bytes = Buffer.concat(parts);
        const json = /problem/.test(response.headers['content-type'] ?? '') ? JSON.parse(bytes.toString() || '{}') : {};
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, json });
      });
    });
    request.on('error', reject).end();
  });
}

describe('the page host', () => {
  it.each([
    [`/${TOKEN}`, 'Sign'],
    ['/anything', 'Sign'],
    ['/verify', 'Verify'],
    ['/verify/abc', 'Verify'],
  ])('answers %s with its page, which no browser keeps or frames', async (address, title) => {
    const { page } = await listening();
    const answer = await page(address);
    expect(answer.bytes.toString()).toContain(`<title>${title}</title>`);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-ratelimit-limit': '120',
    });
    const policy = (answer.headers['content-security-policy'] as string).split(';').map((one) => one.trim());
    expect(policy.sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self' data:",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data: blob:",
      "script-src 'self'",
      "style-src 'self'",
      "worker-src 'self'",
    ]);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it('answers an address that can be nobody’s with the page and 404', async () => {
    const { page } = await listening(undefined, { parameters: { token: /^[A-Za-z0-9_-]{43}$/ } });
    const unknown = await page('/nothing-here');
    expect([unknown.status, unknown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(unknown.bytes.toString()).toContain('<title>Sign</title>');
    for (const address of [`/${'A'.repeat(43)}`, '/verify', '/verify/abc'])
      expect((await page(address)).status).toBe(200);
  });

  it('answers the API that says so, the probes, and nothing else of it', async () => {
    const { page, api } = await listening();
    expect((await page(`/v1/links/${TOKEN}/state`)).status).toBe(200);
    expect((await page('/livez')).status).toBe(200);
    expect((await page('/readyz')).status).toBe(200);
    for (const address of [
      '/v1/things',
      '/open/ip',
      '/docs/',
      '/',
      '/verify/',
      '/signup/x',
      `/v1/links/${TOKEN}/fail`,
    ]) {
      const answer = await page(address, { 'x-api-key': 'test_right' });
      expect([address, answer.status, answer.headers['content-type']]).toEqual([
        address,
        404,
        'application/problem+json',
      ]);
    }
    const refused = await page('/verify', {}, 'POST');
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await page('/v1/things', {}, 'POST')).status).toBe(404);
    for (const address of [`/${TOKEN}`, '/verify', '/assets/sign-1a2b3c4d.js']) {
      expect([address, (await api(address)).status]).toEqual([address, 404]);
      expect((await api(address, 'POST')).status).toBe(404);
    }
    expect((await api('/open/ip')).status).toBe(200);
  });

  it('leads from / to its first page, and lets pages call the API hosts that it names, and no other', async () => {
    const apiHosts = { platform: 'https://api.example.test/', signing: 'http://127.0.0.1:3002' };
    const { page, api } = await listening(path.join(folder, 'web'), { home: '/verify', apiHosts });
    const home = await page('/');
    expect([home.status, home.headers.location]).toEqual([303, '/verify']);
    expect((await api('/')).status).toBe(404);
    expect(JSON.parse((await page('/hosts.json')).bytes.toString())).toEqual(apiHosts);
    expect((await api('/hosts.json')).status).toBe(404);
    const policy = String((await page('/verify')).headers['content-security-policy']).split(';');
    expect(policy).toContain("connect-src 'self' https://api.example.test http://127.0.0.1:3002");
  });

  it('answers a route that is on the page host only, which the API host does not have', async () => {
    const { page, api } = await listening();
    expect((await page('/page/session', {}, 'POST')).status).toBe(200);
    expect((await page('/page/session')).status).toBe(405);
    expect((await api('/page/session', 'POST')).status).toBe(404);
    expect((await api('/page/session')).status).toBe(404);
  });

  it('serves assets for good, compressed for who takes it, with their types', async () => {
    const { page } = await listening();
    const script = await page('/assets/sign-1a2b3c4d.js', { 'accept-encoding': 'deflate, gzip;q=0.8' });
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(script.bytes.length).toBeLessThan(SCRIPT.length / 10);
    expect(gunzipSync(script.bytes).toString()).toBe(SCRIPT);
    const held = await page('/assets/sign-1a2b3c4d.js', { 'accept-encoding': 'gzip', 'if-none-match': String(script.headers.etag) }); // prettier-ignore
    expect([held.status, held.bytes.length]).toEqual([304, 0]);
    const plain = await page('/assets/sign-1a2b3c4d.js', { 'accept-encoding': 'gzip;q=0' });
    expect(plain.bytes.toString()).toBe(SCRIPT);
    expect(plain.headers.etag).not.toBe(script.headers.etag);
    expect((await page('/assets/look-1a2b3c4d.css', { 'accept-encoding': 'br' })).headers['content-encoding']).toBe(
      'br',
    );
    const types = {
      'a.wasm': 'application/wasm',
      'a.woff2': 'font/woff2',
      'a.svg': 'image/svg+xml',
      'a.json': 'application/json; charset=utf-8',
      'viewer-1/a.bcmap': 'application/octet-stream',
      'viewer-1/a.pfb': 'application/octet-stream',
      'viewer-1/a.ttf': 'font/ttf',
    };
    for (const [name, type] of Object.entries(types)) {
      expect([name, (await page(`/assets/${name}`)).headers['content-type']]).toEqual([name, type]);
    }
  });

  it.each([
    '/assets/../../outside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/assets/%2e%2e/%2e%2e/outside.txt',
    '/assets/..\\..\\outside.txt',
    '/assets/../index.html',
    '/assets//etc/passwd',
    '/assets/link.txt',
    '/assets/viewer-1',
    '/assets/',
    '/assets/missing-1a2b3c4d.js',
  ])('has no file at %s', async (address) => {
    const { page } = await listening();
    expect((await page(address)).status).toBe(404);
  });

  it('reads an Accept-Encoding of 60,000 spaces as fast as any other', async () => {
    const { page } = await listening();
    const started = performance.now();
    const answer = await page('/assets/look-1a2b3c4d.css', { 'accept-encoding': `br${' '.repeat(60_000)}x` });
    expect(answer.status).toBe(200);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('says so when there is no page, and serves it once it is built', async () => {
    const { page } = await listening(path.join(folder, 'later'));
    const answer = await page(`/${TOKEN}`);
    expect([answer.status, answer.json.detail]).toEqual([503, expect.stringContaining('npm run build')]);
    expect((await page('/livez')).status).toBe(200);
    mkdirSync(path.join(folder, 'later'));
    writeFileSync(path.join(folder, 'later/index.html'), '<!doctype html>');
    expect((await page(`/${TOKEN}`)).status).toBe(200);
  });

  it('writes down no address of a page', async () => {
    const { page, log, metrics, pagePort } = await listening(path.join(folder, 'never'));
    const answers = [
      await page(`/${TOKEN}`),
      await page(`/${TOKEN}/x`),
      await page(`//${TOKEN}`),
      await page(`/${TOKEN}`, {}, 'POST'),
      await page(`/%zz${TOKEN}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 404, 404, 405, 400]);
    expect(answers[0]?.json.instance).toBe('/{token}');
    const unreadable = await raw(pagePort, `GET /${TOKEN} HTTP/9.9\r\n\r\n`);
    expect(unreadable).toContain('400 Bad Request');
    const output = [...answers.map(({ bytes }) => bytes.toString()), unreadable, ...log, await metrics.text()].join('');
    expect(output).not.toMatch(/canary-/);
    expect(output).toContain('"route":"/{token}"');
  });

  it('drains with the first listener: what is under way is answered, then nothing is accepted', async () => {
    const { app, page, pagePort } = await listening();
    const drained = drainHttp(app, contextOf(app).drain, 200);
    const answer = await page('/verify');
    expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
    expect((await page('/readyz')).status).toBe(503);
    await drained;
    await expect(page('/verify')).rejects.toThrow();
    expect(await new Promise((resolve) => net.connect(pagePort, '127.0.0.1').on('error', () => resolve('refused')))).toBe('refused'); // prettier-ignore
  });
});

function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (part) => (text += part.toString())).on('close', () => resolve(text));
  });
}
