import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { addressBucket, clientIp } from './client-ip.ts';

function request(remoteAddress: string, forwarded?: string): IncomingMessage {
  return { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage;
}

describe("the caller's address", () => {
  it('is the connection’s, whatever X-Forwarded-For says, without trusted proxies', () => {
    expect(clientIp(request('198.51.100.7', '203.0.113.9'), 0)).toBe('198.51.100.7');
    expect(clientIp(request('::ffff:198.51.100.7'), 0)).toBe('198.51.100.7');
  });

  it.each([
    ['203.0.113.9', 1, '203.0.113.9'],
    ['6.6.6.6, 203.0.113.9', 1, '203.0.113.9'],
    ['6.6.6.6, 203.0.113.9, 10.0.0.1', 2, '203.0.113.9'],
    ['203.0.113.9', 2, '203.0.113.9'],
    ['203.0.113.9:4711', 1, '203.0.113.9'],
    ['[2001:db8::1]:4711', 1, '2001:db8::1'],
    ['::ffff:203.0.113.9', 1, '203.0.113.9'],
    ['2001:db8::1', 1, '2001:db8::1'],
  ])('is read out of "%s" through %i proxies', (forwarded, hops, expected) => {
    expect(clientIp(request('10.0.0.2', forwarded), hops)).toBe(expected);
  });

  it.each(['', 'unknown', '<script>', '999.1.1.1', 'a'.repeat(9000)])(
    'is the connection’s when a proxy says %j',
    (text) => {
      expect(clientIp(request('10.0.0.2', text), 1)).toBe('10.0.0.2');
    },
  );

  it('cannot be changed by what a caller adds on the left', () => {
    const seen = new Set(
      Array.from({ length: 50 }, (_, i) => clientIp(request('10.0.0.2', `1.1.1.${i}, 203.0.113.9`), 1)),
    );
    expect(seen).toEqual(new Set(['203.0.113.9']));
  });
});

describe('what a limit counts', () => {
  it('is an IPv4 address, or the /64 network of an IPv6 address', () => {
    expect(addressBucket('203.0.113.9')).toBe('203.0.113.9');
    expect(addressBucket('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(addressBucket('2001:db8:1:2::ffff')).toBe(addressBucket('2001:db8:1:2:aaaa::1'));
    expect(addressBucket('2001:db8:1:3::1')).not.toBe(addressBucket('2001:db8:1:2::1'));
  });
});
