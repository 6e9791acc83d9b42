/**
 * A stand-in for the sign host while the page is worked on: it speaks the wire format of the public signer endpoints from memory.
 * For development and for tests of what is seen; the journey over the real server is tested in tools/.
 */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { answerAction } from './actions.ts';
import { type EnvelopeFixture, envelopeFixture, type EnvelopeSetup, stateOf } from './envelope.ts';

const BUILT = path.join(WORKSPACE, 'dist/apps/signer-web');
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** What the sign host sends with every answer. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; " +
    "font-src 'self' data:; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

export interface SignServer {
  url: string;
  /** Adds an envelope and returns where its signer would sign it. */
  add: (setup?: EnvelopeSetup) => { link: string; envelope: EnvelopeFixture };
  /** "GET /path" of everything that was asked for. */
  asked: string[];
  close: () => Promise<void>;
}

/** @param port 0: any free one, on the loopback address */
export async function startSignServer(port = 0): Promise<SignServer> {
  const envelopes = new Map<string, EnvelopeFixture>();
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://signer');
    asked.push(`${request.method} ${url.pathname}${url.search}`);
    answer(envelopes, url, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    add: (setup) => {
      const envelope = envelopeFixture(setup);
      const token = `demo-token-${String(envelopes.size + 1).padStart(32, '0')}`;
      envelopes.set(token, envelope);
      return { link: `${url}/${token}`, envelope };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  envelopes: Map<string, EnvelopeFixture>,
  url: URL,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const [, token, action = ''] = /^\/v1\/sign\/([^/]+)(?:\/(.*))?$/.exec(url.pathname) ?? [];
  if (token === undefined) return sendFile(url.pathname, response);
  const envelope = envelopes.get(token);
  if (action === 'new-link') return send(response, 202, undefined);
  if (envelope === undefined || envelope.mode === 'gone')
    return send(response, 404, { status: 404, title: 'No such resource' });
  if (envelope.mode === 'down') return void response.destroy();
  if (envelope.mode === 'crowded')
    return send(response, 429, { status: 429 }, { 'Retry-After': String(envelope.retryAfter) });
  // As on the sign host: what was proven counts in the browser that has the proof's cookie. Here one browser knows an envelope.
  if (envelope.proof === null || cookieOf(request) !== envelope.proof) envelope.authDone = [];
  if (action === 'document') return answerDocument(envelope, response);
  if (request.method === 'GET') return answerLook(envelope, action, url, response);
  const before = envelope.proof;
  const { status, document, headers } = answerAction(envelope, action, await bodyOf(request));
  const cookie = envelope.proof === before ? {} : { 'Set-Cookie': proofCookie(token, envelope.proof) };
  send(response, status, document, { ...headers, ...cookie });
}

/** How the check of the identity stands, or the state. */
function answerLook(envelope: EnvelopeFixture, action: string, url: URL, response: http.ServerResponse): void {
  if (action !== 'identity') return send(response, 200, stateOf(envelope, url.searchParams.get('locale')));
  const { identity } = envelope;
  return identity ? send(response, 200, identity) : send(response, 404, { status: 404 });
}

async function bodyOf(request: http.IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
}

const cookieOf = ({ headers }: http.IncomingMessage): string | undefined =>
  /(?:^|;\s*)sign_proof=([^;]+)/.exec(headers.cookie ?? '')?.[1];

const proofCookie = (token: string, proof: string | null): string =>
  `sign_proof=${proof}; Path=/v1/sign/${token}; Max-Age=43200; HttpOnly; SameSite=Strict`;

function sendFile(pathname: string, response: http.ServerResponse): void {
  const page = pathname === '/verify' || pathname.startsWith('/verify/') ? 'verify.html' : 'index.html';
  const file = path.join(BUILT, pathname.startsWith('/assets/') ? path.normalize(pathname) : page);
  if (!fs.existsSync(file)) return send(response, 404, { status: 404 });
  const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
  response.writeHead(200, { ...HEADERS, 'Content-Type': type });
  response.end(fs.readFileSync(file));
}

function answerDocument(envelope: EnvelopeFixture, response: http.ServerResponse): Promise<void> | void {
  const missing = envelope.needsAuthentication && envelope.authDone.length < envelope.auth.length;
  return missing ? send(response, 409, { status: 409 }) : sendDocument(envelope, response);
}

/** In pieces with a pause between them, as over a telephone's connection. */
async function sendDocument({ pdf, pauseMs }: EnvelopeFixture, response: http.ServerResponse): Promise<void> {
  response.writeHead(200, { ...HEADERS, 'Content-Type': 'application/pdf', 'Content-Length': String(pdf.length) });
  const piece = pauseMs > 0 ? Math.ceil(pdf.length / 10) : pdf.length;
  for (let at = 0; at < pdf.length; at += piece) {
    response.write(pdf.subarray(at, at + piece));
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  response.end();
}

function send(response: http.ServerResponse, status: number, document: unknown, headers = {}): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { ...HEADERS, ...headers, 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(document === undefined ? undefined : JSON.stringify(document));
}
