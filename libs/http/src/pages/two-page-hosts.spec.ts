import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenForPages } from '../index.ts';
import { specApp } from '../spec-app.fixture.ts';

let folder: string;
let close: () => Promise<void>;
const hosts = { page: '', person: '' };

/** A built page, which says whose it is. */
function built(name: string): string {
  mkdirSync(path.join(folder, name, 'assets'), { recursive: true });
  writeFileSync(path.join(folder, name, 'index.html'), `<!doctype html><title>${name}</title>`);
  writeFileSync(path.join(folder, name, 'assets/a.js'), `'${name}'`);
  return path.join(folder, name);
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'two-hosts-'));
  const { app } = await specApp({
    pageHosts: {
      page: { port: 0, folders: [built('members')], home: '/login', pages: { '/login': 'index.html' } },
      person: {
        port: 0,
        folders: [built('persons')],
        home: '/capture',
        pages: { '/capture': 'index.html' },
        takesPictures: true,
      },
    },
  });
  await app.listen(0, '127.0.0.1');
  for (const name of ['page', 'person'] as const) {
    hosts[name] = `http://127.0.0.1:${await listenForPages(app, 0, '127.0.0.1', name)}`;
  }
  close = () => app.close();
});
afterAll(async () => {
  await close?.();
  rmSync(folder, { recursive: true });
});

const get = (host: keyof typeof hosts, address: string) => fetch(hosts[host] + address, { redirect: 'manual' });

describe('an app with two page hosts', () => {
  it('answers each with its own pages, files and home, and with none of the other’s', async () => {
    for (const [host, home, title] of [
      ['page', '/login', 'members'],
      ['person', '/capture', 'persons'],
    ] as const) {
      const root = await get(host, '/');
      expect([root.status, root.headers.get('location')]).toEqual([303, home]);
      expect(await (await get(host, home)).text()).toContain(title);
      expect(await (await get(host, '/assets/a.js')).text()).toBe(`'${title}'`);
    }
    expect((await get('page', '/capture')).status).toBe(404);
    expect((await get('person', '/login')).status).toBe(404);
  });

  it('lets pages that take pictures use the camera alone, call no other origin and stand in no frame', async () => {
    const { headers } = await get('person', '/capture');
    const policy = String(headers.get('content-security-policy')).split(';');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('permissions-policy')).toBe('camera=(self), microphone=(), geolocation=()');
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    expect(headers.get('set-cookie')).toBeNull();
    expect((await get('page', '/login')).headers.get('permissions-policy')).toBeNull();
  });
});
