import type { ComplianceClient, PlatformClient, SigningClient } from './clients.ts';
import { filesOfZip, joinZips } from './zips.ts';

/** Clients of the hosts whose configuration is moved; one that is left out is not. */
export interface ConfigurationClients {
  platform?: PlatformClient;
  compliance?: ComplianceClient;
  signing?: SigningClient;
}

const PATH = '/v1/configuration';
const IMPORTS = '/v1/configuration/imports';
const BYTES = { parseAs: 'arrayBuffer' } as const;

/** The configuration of the hosts as one archive: what each has signed. Throws Error with the problem's sentence. */
export async function exportConfiguration({
  platform,
  compliance,
  signing,
}: ConfigurationClients): Promise<Uint8Array<ArrayBuffer>> {
  const answers = await Promise.all([
    compliance?.GET(PATH, BYTES),
    platform?.GET(PATH, BYTES),
    signing?.GET(PATH, BYTES),
  ]);
  const archives = answers.filter((answer) => answer !== undefined);
  return joinConfigurations(archives.map((answer) => new Uint8Array(succeeded<ArrayBuffer>(answer))));
}

/**
 * Imports an archive into the hosts, the platform last: the secrets of new endpoints are in its answer only, and nothing after it can fail.
 * `dryRun`: answers what would be done. Throws Error with the problem's sentence; what was imported before stays, and the archive may be sent
 * again.
 */
export async function importConfiguration(
  { platform, compliance, signing }: ConfigurationClients,
  archive: Uint8Array<ArrayBuffer>,
  { dryRun = false }: { dryRun?: boolean } = {},
) {
  const sent = {
    params: { query: { dry_run: dryRun } },
    body: new Blob([archive], { type: 'application/zip' }),
  };
  const hosts = new Set(hostsIn(archive));
  return {
    compliance: compliance && hosts.has('compliance') ? succeeded(await compliance.POST(IMPORTS, sent)) : undefined,
    signing: signing && hosts.has('signing') ? succeeded(await signing.POST(IMPORTS, sent)) : undefined,
    platform: platform && hosts.has('platform') ? succeeded(await platform.POST(IMPORTS, sent)) : undefined,
  };
}

/** One archive of those of several hosts: the folder of each as it signed it. Throws RangeError for bytes that are no ZIP. */
export function joinConfigurations(archives: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joinZips(archives);
}

/** The hosts that an archive has a part for. Throws RangeError for bytes that are no ZIP. */
export function hostsIn(archive: Uint8Array): ('platform' | 'compliance' | 'signing')[] {
  const names = new Set(filesOfZip(archive).map(({ name }) => name));
  return (['platform', 'compliance', 'signing'] as const).filter((host) => names.has(`${host}/manifest.jws`));
}

function succeeded<Body>({ data, error }: { data?: Body | undefined; error?: unknown }): Body {
  if (data !== undefined) return data;
  const { title = 'No answer', detail = '' } = (error ?? {}) as { title?: string; detail?: string };
  throw new Error(`${title}: ${detail}`);
}
