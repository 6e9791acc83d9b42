import type { Scope } from '@constancia/contracts/scopes';
import { hostsIn, joinConfigurations } from '@constancia/sdk/configuration';
import type { components } from '@constancia/sdk/generated/platform';
import type { Apis } from '../../api/apis.ts';
import { rawBody } from '../../api/raw-body.ts';

export type ImportAnswer = components['schemas']['ConfigurationImportView'];
export type ImportedChange = ImportAnswer['changes'][number];

/** In the order of an import: validations, the flows that name them, the circuits that name flows. */
export const HOSTS = ['compliance', 'platform', 'signing'] as const;
export type Host = (typeof HOSTS)[number];

/** All of them are needed. */
export const READS: Readonly<Record<Host, readonly Scope[]>> = {
  platform: ['identity:read', 'webhooks:read'],
  compliance: ['compliance:read'],
  signing: ['signing:read'],
};
export const WRITES: Readonly<Record<Host, readonly Scope[]>> = {
  platform: ['identity:write', 'webhooks:write'],
  compliance: ['compliance:rules', 'settings:write'],
  signing: ['signing:write'],
};

const PATH = '/v1/configuration';
const IMPORTS = '/v1/configuration/imports';
const FILE = { parseAs: 'blob' } as const;

export function exportOf(host: Host, { platform, compliance, signing }: Apis) {
  switch (host) {
    case 'platform':
      return platform.GET(PATH, FILE);
    case 'compliance':
      return compliance.GET(PATH, FILE);
    case 'signing':
      return signing.GET(PATH, FILE);
  }
}

export function importInto(host: Host, { platform, compliance, signing }: Apis, file: Blob, dryRun: boolean) {
  const sent = { params: { query: { dry_run: dryRun } }, ...rawBody(file as never, 'application/zip') };
  switch (host) {
    case 'platform':
      return platform.POST(IMPORTS, sent);
    case 'compliance':
      return compliance.POST(IMPORTS, sent);
    case 'signing':
      return signing.POST(IMPORTS, sent);
  }
}

/** The archives of the hosts as one. */
export async function joined(archives: readonly Blob[]): Promise<Blob> {
  const bytes = await Promise.all(archives.map(async (archive) => new Uint8Array(await archive.arrayBuffer())));
  return new Blob([joinConfigurations(bytes)], { type: 'application/zip' });
}

/** The hosts that an archive has a part for; null when it is not a configuration archive. */
export async function hostsOf(file: Blob): Promise<Host[] | null> {
  try {
    const found = hostsIn(new Uint8Array(await file.arrayBuffer()));
    return found.length === 0 ? null : HOSTS.filter((host) => found.includes(host));
  } catch {
    return null;
  }
}

/**
 * Imports into each host that has not imported yet, one after the other. `answers`: of the hosts in their order, dry runs at first. Reports
 * them after each host: a secret is in the answer of its import only, whatever the next host answers.
 */
export async function importRest(
  hosts: readonly Host[],
  answers: readonly ImportAnswer[],
  send: (host: Host) => Promise<ImportAnswer>,
  onAnswers: (answers: ImportAnswer[]) => void,
): Promise<void> {
  const done = [...answers];
  for (const [nth, host] of hosts.entries()) {
    if (done[nth]?.dry_run === false) continue;
    done[nth] = await send(host);
    onAnswers([...done]);
  }
}
