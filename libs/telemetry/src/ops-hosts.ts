import { isIP } from 'node:net';
import os from 'node:os';

/**
 * Whether a request that names this host is for the ops port. A page of somebody else's that has its own name lead to this address
 * (DNS rebinding) sends its name; who goes by an address, as Prometheus, the kubelet and a forwarded port do, sends none.
 */
export function isOpsHost(host: string | undefined, more: readonly string[] = []): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const { hostname, username } = new URL(`http://${host}`);
  if (username !== '') return false;
  const name = hostname.replace(/^\[|\]$/g, '');
  return isIP(name) !== 0 || ['localhost', os.hostname().toLowerCase(), ...more].includes(name);
}
