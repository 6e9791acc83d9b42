import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The caller's address, seen through exactly `hops` trusted proxies: each appends the address it was called from to
 * X-Forwarded-For, so the caller stands `hops` from the right. What the caller wrote itself is further left and never read.
 */
export function clientIp(request: Pick<IncomingMessage, 'socket' | 'headers'>, hops: number): string {
  const socketAddress = plain(request.socket.remoteAddress ?? '') ?? '0.0.0.0';
  if (hops === 0) return socketAddress;
  const header = request.headers['x-forwarded-for'];
  if (header === undefined) return socketAddress;
  const chain = (Array.isArray(header) ? header.join(',') : header).split(',');
  return plain(chain[Math.max(0, chain.length - hops)] ?? '') ?? socketAddress;
}

/** What a limit counts: an IPv4 address, or the /64 network of an IPv6 one, because one line owns at least that much. */
export function addressBucket(address: string): string {
  if (!address.includes(':')) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

function plain(text: string): string | undefined {
  if (isIP(text) === 4) return text;
  const address = text
    .trim()
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  if (isIP(address) === 4) return address;
  if (isIP(address) !== 6) return undefined;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address.replace(/%.*$/, '');
}
