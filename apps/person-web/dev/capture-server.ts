/**
 * A stand-in for the host of persons while the page is worked on: it speaks the wire format of libs/contracts/src/capture.ts, consent.ts and
 * wallet.ts.
 * For development and for tests of what is seen; the journey over the real server is tested where the server is.
 */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { WALLET_PAGE } from '@constancia/contracts/wallet';
import { type CaptureFixture, captureFixture, type CaptureSetup, newToken } from './capture-session.ts';
import { answerCapture } from './answers.ts';
import { Consents } from './consents.ts';
import { Recoveries } from './recoveries.ts';
import { Wallets } from './wallets.ts';

const BUILT = path.join(WORKSPACE, 'dist/apps/person-web');
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; " +
    "frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  'Permissions-Policy': 'camera=(self), microphone=(), geolocation=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

export interface CaptureServer {
  url: string;
  /** Adds a session and returns where its person takes it. */
  add: (setup?: CaptureSetup) => { link: string; token: string; session: CaptureFixture };
  wallets: Wallets;
  recoveries: Recoveries;
  consents: Consents;
  close: () => Promise<void>;
}

/** @param port 0: any free one, on the loopback address */
export async function startCaptureServer(port = 0): Promise<CaptureServer> {
  const sessions = new Map<string, CaptureFixture>();
  const wallets = new Wallets();
  const recoveries = new Recoveries();
  const consents = new Consents();
  let url = '';
  const server = http.createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://person');
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (pathname.startsWith('/v1/wallet/')) {
      const method = request.method ?? 'GET';
      const sent = await bodyOf(request);
      const answered =
        recoveries.answer(method, pathname, sent, url) ??
        wallets.answer({ method, pathname, body: sent.toString(), token });
      if (answered === null) return void response.destroy();
      return send(response, answered.status, answered.document, answered.headers);
    }
    if (/^\/consent\/[^/]+\//.test(pathname)) {
      const { cookie, 'sec-fetch-site': site } = request.headers;
      const call = { method: request.method ?? 'GET', pathname, locale: searchParams.get('locale'), cookie };
      const body = (await bodyOf(request)).toString();
      const answered = consents.answer({ ...call, body, site: String(site) });
      if (answered === null) return void response.destroy();
      return send(response, answered.status, answered.document, answered.headers);
    }
    if (!pathname.startsWith('/capture/')) return sendFile(pathname, response);
    const session = sessions.get(token);
    if (session === undefined || session.mode === 'gone') return send(response, 404, { status: 404 });
    if (session.mode === 'down') return void response.destroy();
    const body = await bodyOf(request);
    if (session.pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, session.pauseMs));
    const call = { route: pathname.slice('/capture/'.length), kind: searchParams.get('kind') ?? '', body, token, url };
    const { status, document } = answerCapture(sessions, session, call);
    send(response, status, document);
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    wallets,
    recoveries,
    consents,
    add: (setup) => {
      const token = newToken();
      const session = captureFixture(token, setup);
      sessions.set(token, session);
      return { link: `${url}/capture#${token}`, token, session };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function sendFile(pathname: string, response: http.ServerResponse): void {
  const page =
    pathname === WALLET_PAGE ? 'wallet.html' : pathname.startsWith('/consent/') ? 'consent.html' : 'index.html';
  const file = path.join(BUILT, pathname.startsWith('/assets/') ? path.normalize(pathname) : page);
  if (!fs.existsSync(file)) return send(response, 404, { status: 404 });
  const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
  response.writeHead(200, { ...HEADERS, 'Content-Type': type });
  response.end(fs.readFileSync(file));
}

function send(
  response: http.ServerResponse,
  status: number,
  document: unknown,
  more: Record<string, string> = {},
): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { ...HEADERS, 'Content-Type': type, 'Cache-Control': 'no-store', ...more });
  response.end(document === undefined ? '' : JSON.stringify(document));
}
