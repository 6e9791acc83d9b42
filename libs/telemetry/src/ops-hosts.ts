import { isIP } from 'node:net';
import os from 'node:os';

/**
 * Whether the Host header of a request may be that of the ops port. With DNS rebinding, a foreign page sends its own host name; clients
 * that use an address, such as Prometheus, the kubelet and a forwarded port, send that address.
 */
export function isOpsHost(host: string | undefined, more: readonly string[] = []): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const { hostname, username } = new URL(`http://${host}`);
  if (username !== '') return false;
  const name = hostname.replace(/^\[|\]$/g, '');
  return isIP(name) !== 0 || ['localhost', os.hostname().toLowerCase(), ...more].includes(name);
}
