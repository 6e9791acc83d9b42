import { type ApiHost, hostsServing } from '@constancia/contracts';
import type { HttpOptions } from '../http-options.ts';

/** A sentence that names the host which serves a path that this one does not; undefined when no other host does. */
export function servedElsewhere(
  { name, config }: Pick<HttpOptions, 'name' | 'config'>,
  path: string,
): string | undefined {
  const addresses: Partial<Record<ApiHost, string>> = {
    platform: config.baseUrl,
    compliance: config.complianceUrl,
    signing: config.signingUrl,
  };
  const elsewhere = hostsServing(path).filter((host) => host !== name);
  if (elsewhere.length === 0) return undefined;
  const shown = elsewhere.map((host) => addresses[host]?.replace(/\/+$/, '') ?? `the ${host} host`);
  return `This host has no such path. Paths like this one are served by ${shown.join(' and ')}.`;
}
