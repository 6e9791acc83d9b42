import { type ApiHost, hostsServing } from '@constancia/contracts';
import type { HttpConfig } from './http-config.ts';

interface OtherHosts {
  own: string;
  addresses: Partial<Record<ApiHost, string>>;
}

const known = new WeakMap<object, OtherHosts>();

/** Tells a server where the other API hosts are. `own`: its own name. */
export function useOtherHosts(server: object, own: string, config: HttpConfig): void {
  const { baseUrl: platform, complianceUrl: compliance, signingUrl: signing } = config;
  known.set(server, { own, addresses: { platform, compliance, signing } });
}

/** A sentence that names the host which serves a path that this one does not; undefined when no other host does. */
export function servedElsewhere(server: object, path: string): string | undefined {
  const hosts = known.get(server);
  const elsewhere = hosts ? hostsServing(path).filter((host) => host !== hosts.own) : [];
  if (!hosts || elsewhere.length === 0) return undefined;
  const addresses = elsewhere.map((host) => hosts.addresses[host]?.replace(/\/+$/, '') ?? `the ${host} host`);
  return `This host has no such path. Paths like this one are served by ${addresses.join(' and ')}.`;
}
