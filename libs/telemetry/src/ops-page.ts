import fs from 'node:fs';
import path from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Nothing but its own files, no inline script or style, in nobody's frame. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
};

const ADDRESS = '/ops/page';

/** The operators' page: static files of one folder at /ops/page/. It holds nothing: what it shows it asks the actions for. */
export class OpsPageFiles {
  private readonly files = new Map<string, { bytes: Buffer; type: string }>();

  /** @param folder without one, or without files in it, there is no page */
  constructor(folder: string | undefined) {
    if (folder === undefined || !fs.existsSync(folder)) return;
    for (const name of fs.readdirSync(folder)) {
      const type = TYPES[path.extname(name)];
      if (type !== undefined) this.files.set(name, { bytes: fs.readFileSync(path.join(folder, name)), type });
    }
  }

  /** Answers a request for the page; false: it is about something else. */
  answer(request: IncomingMessage, pathname: string, response: ServerResponse): boolean {
    if (this.files.size === 0 || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    if (pathname === ADDRESS) {
      // With the slash, so that the page's own relative addresses are below it.
      response.writeHead(308, { ...HEADERS, location: `${ADDRESS}/` }).end();
      return true;
    }
    if (!pathname.startsWith(`${ADDRESS}/`)) return false;
    const file = this.files.get(pathname.slice(ADDRESS.length + 1) || 'index.html');
    if (file === undefined) return false;
    response.writeHead(200, { ...HEADERS, 'content-type': file.type, 'content-length': file.bytes.length });
    response.end(request.method === 'HEAD' ? undefined : file.bytes);
    return true;
  }
}
