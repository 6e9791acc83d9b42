import { describe, expect, it } from 'vitest';
import { networksOf, parseCidr } from './networks.ts';

describe('networks', () => {
  it.each([
    [['192.0.2.0/24'], '192.0.2.255', true],
    [['192.0.2.0/24'], '192.0.3.0', false],
    [['192.0.2.7'], '192.0.2.7', true],
    [['192.0.2.7'], '192.0.2.8', false],
    [['0.0.0.0/0'], '203.0.113.9', true],
    [['2001:db8::/32'], '2001:db8:1::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['192.0.2.0/24', '2001:db8::/32'], '2001:db8::1', true],
    [['192.0.2.0/24'], '::ffff:192.0.2.1', true],
    [['192.0.2.0/24'], 'not an address', false],
    [[], '192.0.2.1', false],
  ])('%j include %s: %s', (cidrs, address, expected) => {
    expect(networksOf(cidrs).includes(address)).toBe(expected);
  });

  it.each(['', '192.0.2.0/33', '192.0.2/24', '192.0.2.0/-1', '192.0.2.0/08', '192.0.2.0/24/1', '2001:db8::/129', 'fe80::1%eth0', '192.0.2.0/ 8'])(
    'the text %j is refused',
    (text) => expect(parseCidr(text)).toBeNull(),
  ); // prettier-ignore
});
