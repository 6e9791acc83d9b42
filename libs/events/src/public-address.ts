import { BlockList, isIP } from 'node:net';

/** What an address is, as far as sending webhooks to it is concerned. */
export type AddressKind = 'public' | 'loopback' | 'non_public';

/** IPv4 that is not globally reachable (IANA special-purpose registry), multicast, reserved, and a cloud's metadata host. */
export const NON_PUBLIC_IPV4: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT; a cloud's metadata host too
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's platform address: public by number, the host's own by meaning
  '169.254.0.0/16', // link-local: metadata hosts
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * Only 2000::/3 is global unicast, so everything outside it is refused by that alone: loopback, unspecified, IPv4-mapped
 * and -compatible, NAT64 (64:ff9b::/96, 64:ff9b:1::/48), unique local, link-local, site-local, multicast. These lie inside:
 */
export const NON_PUBLIC_IPV6: readonly string[] = [
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32',
  '2002::/16', // 6to4: carries any IPv4 address
  '2620:4f:8000::/48',
  '3fff::/20',
];

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network, prefix] = range.split('/') as [string, string];
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}

const ipv4 = blockList('ipv4', NON_PUBLIC_IPV4);
const ipv6 = blockList('ipv6', NON_PUBLIC_IPV6);
const globalUnicast = blockList('ipv6', ['2000::/3']);

/**
 * Classifies an IP address in text form (no brackets; a zone id makes it non-public). `loopback` is 127.0.0.0/8 and ::1
 * only: other ways to write loopback (mapped, NAT64) are `non_public`. Anything that is no address is `non_public`.
 */
export function addressKind(address: string): AddressKind {
  const family = isIP(address);
  if (family === 4) {
    if (address.startsWith('127.')) return 'loopback';
    return ipv4.check(address, 'ipv4') ? 'non_public' : 'public';
  }
  if (family !== 6 || address.includes('%')) return 'non_public';
  if (new URL(`http://[${address}]`).hostname === '[::1]') return 'loopback';
  return globalUnicast.check(address, 'ipv6') && !ipv6.check(address, 'ipv6') ? 'public' : 'non_public';
}
