import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EvidenceAddresses } from './evidence-addresses.ts';

const ANSWERS: Record<string, http.RequestListener> = {
  '/moved': (_, response) => response.writeHead(302, { location: '/list.crl' }).end(),
  '/large': (_, response) => response.end(Buffer.alloc(5 * 1024 * 1024)),
  '/list.crl': (_, response) => response.end('list'),
};

let server: http.Server;
let address: string;
const seen: string[] = [];
const here = new EvidenceAddresses({ allowLoopback: true });
const outside = new EvidenceAddresses({ allowLoopback: false });

beforeAll(async () => {
  server = http.createServer((request, response) => {
    seen.push(request.url ?? '');
    ANSWERS[request.url ?? '']?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await Promise.all([here.close(), outside.close()]);
  server.close();
});

it('leads nowhere inside, follows no redirect, and ends', async () => {
  expect((await here.fetch(`${address}/list.crl`)).toString()).toBe('list');
  await expect(here.fetch(`${address}/moved`)).rejects.toThrow('answered 302');
  await expect(here.fetch(`${address}/large`)).rejects.toThrow(/size/i);
  expect(seen).toEqual(['/list.crl', '/moved', '/large']);
  for (const inside of [`${address}/list.crl`, 'http://169.254.169.254/', 'ldap://ldap.example.com/cn=crl'])
    await expect(outside.fetch(inside)).rejects.toThrow(/The URL must/);
  expect(seen).toHaveLength(3);
});
