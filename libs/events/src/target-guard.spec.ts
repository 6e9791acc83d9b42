import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressKind } from './public-address.ts';
import {
  checkTarget,
  checkTargetAddresses,
  dnsResolve,
  guardedLookup,
  PUBLIC_TARGETS,
  TargetRefused,
} from './target-guard.ts';

const LOOPBACK_TOO = { allowLoopback: true, ports: [443] };

function refusal(url: string, policy = PUBLIC_TARGETS): string {
  try {
    checkTarget(url, policy);
    return 'allowed';
  } catch (error) {
    return (error as TargetRefused).code;
  }
}

describe('kinds of addresses', () => {
  it.each([
    ...[
      '8.8.8.8',
      '1.1.1.1',
      '172.15.0.1',
      '172.32.0.1',
      '100.63.255.255',
      '100.128.0.1',
      '192.0.1.1',
      '223.255.255.255',
    ],
    ...['2606:4700:4700::1111', '2a00:1450:4001::1', '2001:4860:4860::8888', '3000::1'],
  ])('%s is public', (address) => expect(addressKind(address)).toBe('public'));

  it.each(['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'])('%s is loopback', (address) =>
    expect(addressKind(address)).toBe('loopback'),
  );

  it.each([
    ...[
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '100.64.0.1',
      '100.100.100.200',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
    ],
    ...['192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.19.255.255', '198.51.100.7'],
    ...['203.0.113.9', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
    ...['::', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::127.0.0.1'],
    ...[
      '64:ff9b::7f00:1',
      '64:ff9b::808:808',
      '64:ff9b:1::1',
      '100::1',
      '2001::1',
      '2001:0:4136:e378::1',
      '2001:db8::1',
    ],
    ...['2002:7f00:1::', '2002:a00:1::1', '3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0'],
    ...['fec0::1', 'ff02::1', 'not-an-address', ''],
  ])('%s is not public', (address) => expect(addressKind(address)).toBe('non_public'));
});

describe('what a URL shows', () => {
  it.each([
    'https://hooks.example.com/in',
    'https://hooks.example.com:8443/in?x=1',
    'https://8.8.8.8/in',
    'https://[2606:4700:4700::1111]/in',
    'https://134744072/', // 8.8.8.8
  ])('%s is allowed', (url) => expect(refusal(url)).toBe('allowed'));

  it.each([
    ['https://127.0.0.1/', 'address_refused'],
    ['https://127.1/', 'address_refused'],
    ['https://2130706433/', 'address_refused'],
    ['https://0x7f.1/', 'address_refused'],
    ['https://0x7f000001/', 'address_refused'],
    ['https://0177.0.0.1/', 'address_refused'],
    ['https://127.0.0.1./', 'address_refused'],
    ['https://１２７.0.0.1/', 'address_refused'],
    ['https://0/', 'address_refused'],
    ['https://10.1.2.3/', 'address_refused'],
    ['https://169.254.169.254/latest/meta-data', 'address_refused'],
    ['https://[::1]/', 'address_refused'],
    ['https://[::]/', 'address_refused'],
    ['https://[::ffff:127.0.0.1]/', 'address_refused'],
    ['https://[::ffff:a9fe:a9fe]/', 'address_refused'],
    ['https://[64:ff9b::127.0.0.1]/', 'address_refused'],
    ['https://[64:ff9b:1::a9fe:a9fe]/', 'address_refused'],
    ['https://[2002:7f00:1::]/', 'address_refused'],
    ['https://[fd00:ec2::254]/', 'address_refused'],
    ['https://[fe80::1]/', 'address_refused'],
    ['https://localhost/', 'address_refused'],
    ['https://LOCALHOST./', 'address_refused'],
    ['https://a.localhost/', 'address_refused'],
    ['https://metadata.google.internal/', 'address_refused'],
    ['https://printer.local/', 'address_refused'],
    ['https://intranet/', 'address_refused'],
    ['http://hooks.example.com/', 'scheme_refused'],
    ['ftp://hooks.example.com/', 'scheme_refused'],
    ['file:///etc/passwd', 'scheme_refused'],
    ['https://user:secret@hooks.example.com/', 'credentials_refused'],
    ['https://hooks.example.com:22/', 'port_refused'],
    ['https://hooks.example.com:80/', 'port_refused'],
    ['/relative', 'url_invalid'],
    ['https://', 'url_invalid'],
    ['https://256.256.256.256/', 'url_invalid'],
    [`https://hooks.example.com/${'x'.repeat(2048)}`, 'url_invalid'],
  ])('%s is refused: %s', (url, code) => expect(refusal(url)).toBe(code));

  it.each([
    ['http://127.0.0.1:4000/', 'allowed'],
    ['http://localhost:4000/', 'allowed'],
    ['http://[::1]:4000/', 'allowed'],
    ['https://127.1:9/', 'allowed'],
    ['http://hooks.example.com/', 'scheme_refused'],
    ['http://10.0.0.1/', 'address_refused'],
    ['http://0.0.0.0/', 'address_refused'],
    ['http://169.254.169.254/', 'address_refused'],
    ['http://[::ffff:127.0.0.1]/', 'address_refused'],
  ])('with loopback allowed, %s is %s', (url, code) => expect(refusal(url, LOOPBACK_TOO)).toBe(code));

  it.each([
    ['http://ocsp.example.com/', 'allowed'],
    ['https://ocsp.example.com/', 'allowed'],
    ['http://ocsp.example.com:22/', 'port_refused'],
    ['ldap://ocsp.example.com/', 'scheme_refused'],
    ['http://169.254.169.254/', 'address_refused'],
    ['http://localhost/', 'address_refused'],
  ])('of evidence, which is signed itself and may come over http, %s is %s', (url, code) =>
    expect(refusal(url, { allowLoopback: false, ports: [80, 443], plainHttp: true })).toBe(code),
  );
});

describe('names at registration', () => {
  const resolvesTo =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: 4 }));

  it('refuses a name when any of its addresses is not public', async () => {
    const check = checkTargetAddresses('https://hooks.example.com/', PUBLIC_TARGETS, resolvesTo('8.8.8.8', '10.0.0.1'));
    await expect(check).rejects.toMatchObject({ code: 'address_refused' });
  });

  it('accepts public names and names that do not resolve yet', async () => {
    await checkTargetAddresses('https://hooks.example.com/', PUBLIC_TARGETS, resolvesTo('8.8.8.8'));
    await checkTargetAddresses('https://hooks.example.com/', PUBLIC_TARGETS, () =>
      Promise.reject(new Error('ENOTFOUND')),
    );
  });

  it('explains localhost: where it is refused, and how a receiver on this machine is named where it is not', () => {
    const reasonOf = (url: string, allowLoopback: boolean) => {
      try {
        checkTarget(url, { ...PUBLIC_TARGETS, allowLoopback });
        return 'allowed';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(reasonOf('http://localhost:4000/', true)).toBe('allowed');
    expect(reasonOf('http://localhost:4000/', false)).toContain('localhost is reached on a local stack only');
    expect(reasonOf('http://192.168.1.7:4000/', true)).toContain('http://127.0.0.1:4000/ or http://localhost:4000/');
    expect(reasonOf('http://example.com/', true)).toContain('https://');
  });

  it('knows localhost without a name server', async () => {
    expect(await dnsResolve()('localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
  });
});

describe('a connection', () => {
  let port: number;
  let reached = 0;
  const server = http.createServer((_, response) => {
    reached += 1;
    response.end('internal');
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => void server.close());

  it('does not reach a private server by a name whose answer changes between check and connect', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1'], ['127.0.0.1']];
    const resolve = async () => (answers.shift() ?? ['127.0.0.1']).map((address) => ({ address, family: 4 }));
    await checkTargetAddresses('https://rebind.example.com/', PUBLIC_TARGETS, resolve); // the first answer is harmless
    const agent = new Agent({ connect: { lookup: guardedLookup(PUBLIC_TARGETS, resolve) } });
    await expect(request(`http://rebind.example.com:${port}/`, { dispatcher: agent })).rejects.toMatchObject({
      code: 'address_refused',
    });
    await agent.close();
    expect(reached).toBe(0);
  });

  it('goes to the checked address and asks the resolver once', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
    };
    const agent = new Agent({ connect: { lookup: guardedLookup(LOOPBACK_TOO, resolve) } });
    const { statusCode, body } = await request(`http://rebind.example.com:${port}/`, { dispatcher: agent });
    expect([statusCode, await body.text()]).toEqual([200, 'internal']);
    await agent.close();
    expect([asked, reached]).toEqual([1, 1]);
  });
});
