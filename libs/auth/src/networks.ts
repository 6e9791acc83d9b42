import { BlockList, isIP } from 'node:net';

/** Networks from which a credential is accepted. */
export interface Networks {
  includes(address: string): boolean;
}

interface Network {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** Reads networks in CIDR notation; a bare address is a network of one. Throws for a text that is neither. */
export function networksOf(cidrs: readonly string[]): Networks {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const network = parseCidr(cidr);
    if (network === null) throw new Error(`not a network in CIDR notation: ${cidr}`);
    list.addSubnet(network.address, network.prefix, network.family);
  }
  return { includes: (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6') };
}

/** `192.0.2.0/24`, `2001:db8::/32` or a bare address; null for anything else. */
export function parseCidr(text: string): Network | null {
  const [address, bits, ...rest] = text.split('/') as [string, string?, ...string[]];
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return null;
  const longest = version === 4 ? 32 : 128;
  if (bits !== undefined && !/^(0|[1-9]\d{0,2})$/.test(bits)) return null;
  const prefix = bits === undefined ? longest : Number(bits);
  return prefix > longest ? null : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}
