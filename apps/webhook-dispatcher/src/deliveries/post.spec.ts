import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { PUBLIC_TARGETS, type Resolve, type TargetPolicy } from '@constancia/events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Poster } from './post.ts';

const LOOPBACK: TargetPolicy = { ...PUBLIC_TARGETS, allowLoopback: true };
const NO_NAMES: Resolve = (name) =>
  Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND', syscall: 'queryA' }));
const BODY = Buffer.from('{}');

let connections = 0;
let port: number;
const server = http.createServer((request, response) => {
  request.resume();
  if (request.url === '/encoded') response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip');
  else response.end('hello');
});
server.on('connection', () => (connections += 1));
const posters: Poster[] = [];

function poster(policy: TargetPolicy, resolve: Resolve = NO_NAMES, timeoutMs = 400): Poster {
  const made = new Poster(policy, resolve, timeoutMs);
  posters.push(made);
  return made;
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => (connections = 0));
afterEach(async () => {
  for (const made of posters.splice(0)) await made.close();
});
afterAll(() => void server.close());

describe('a private server', () => {
  it.each([
    'http://127.0.0.1',
    'https://127.0.0.1',
    'https://127.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://0177.0.0.1',
    'https://0.0.0.0',
    'https://localhost',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[64:ff9b::7f00:1]',
  ])('is not reached as %s', async (origin) => {
    const { error, httpStatus } = await poster(PUBLIC_TARGETS).post(`${origin}:${port}/`, {}, BODY);
    expect(httpStatus).toBeNull();
    expect(error?.code).toBe('address_refused');
    expect(connections).toBe(0);
  });

  it('is not reached by a name that leads there, also when only one of its addresses does', async () => {
    const ports = [port];
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254']]) {
      const resolve: Resolve = async () => addresses.map((address) => ({ address, family: net.isIP(address) }));
      const policy = { allowLoopback: false, ports };
      const { error } = await poster(policy, resolve).post(`https://inside.example.com:${port}/`, {}, BODY);
      expect(error?.code).toBe('address_refused');
    }
    expect(connections).toBe(0);
  });

  it('is reached where loopback is allowed, and only loopback', async () => {
    expect((await poster(LOOPBACK).post(`http://127.0.0.1:${port}/`, {}, BODY)).httpStatus).toBe(200);
    const { error } = await poster(LOOPBACK).post('http://10.0.0.1/', {}, BODY);
    expect(error?.code).toBe('address_refused');
  });
});

describe('an answer', () => {
  it('is not decompressed', async () => {
    const answer = await poster(LOOPBACK).post(`http://127.0.0.1:${port}/encoded`, {}, BODY);
    expect(answer).toMatchObject({ httpStatus: 200, excerpt: 'not gzip', error: null });
  });

  it.each([
    ['nonsense', 'this is no HTTP\r\n\r\n', 'invalid_response'],
    ['a closed connection', '', 'connection_closed'],
  ])('that is %s is an attempt without one', async (_, bytes, code) => {
    const odd = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(bytes));
    });
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/`;
    const { error, httpStatus } = await poster(LOOPBACK).post(url, {}, BODY);
    expect({ code: error?.code, httpStatus }).toEqual({ code, httpStatus: null });
    odd.close();
  });

  it('that never comes is a timeout, for headers that drip as for silence', async () => {
    const slow = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
    const { error, durationMs } = await poster(LOOPBACK).post(url, {}, BODY);
    expect(error?.code).toBe('timeout');
    expect(durationMs).toBeLessThan(800);
    slow.close();
  });

  it('names what kept it from coming', async () => {
    const policy = { allowLoopback: true, ports: [443] };
    const unknown = await poster(policy).post('https://nowhere.example.com/', {}, BODY);
    expect(unknown.error?.code).toBe('dns_failed');
    const plain = await poster(policy).post(`https://127.0.0.1:${port}/`, {}, BODY);
    expect(plain.error?.code).toBe('tls_failed');
  });

  it('is waited for within the deadline even while the name is being looked up', async () => {
    const never: Resolve = () => new Promise(() => undefined);
    const { error, durationMs } = await poster(PUBLIC_TARGETS, never).post('https://slow.example.com/', {}, BODY);
    expect(error?.code).toBe('timeout');
    expect(durationMs).toBeLessThan(800);
  });
});
