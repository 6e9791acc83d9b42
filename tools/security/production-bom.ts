import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { WORKSPACE } from '../build/sources.mjs';
import { lockedPackages } from './lock-file.ts';

interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  scope?: string;
  purl?: string;
  hashes?: { alg: string; content: string }[];
  licenses?: { expression: string }[];
}

export interface BillOfMaterials {
  serialNumber: string;
  metadata: { timestamp?: string; tools: { version?: string }[]; component: { name: string } };
  components: Component[];
}

/**
 * What the shipped apps are made of, as CycloneDX JSON: read from the lock file by npm, without what only tools use. The same lock
 * file gives the same bytes on every machine: npm's time, random serial number and the folder's name are replaced.
 */
export async function productionBom(): Promise<string> {
  const options = ['--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  const { stdout } = await promisify(execFile)('npm', ['sbom', ...options], {
    cwd: WORKSPACE,
    maxBuffer: 64 * 1024 * 1024,
  });
  const bom = JSON.parse(stdout) as BillOfMaterials;
  delete bom.metadata.timestamp;
  for (const tool of bom.metadata.tools) delete tool.version;
  bom.metadata.component.name = 'constancia';
  bom.components = completed(bom.components);
  const digest = createHash('sha256')
    .update(fs.readFileSync(path.join(WORKSPACE, 'package-lock.json')))
    .digest('hex');
  bom.serialNumber = `urn:uuid:${uuidFrom(digest)}`;
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** npm leaves packages out that only a peer asks for as well: what the lock file has for production is added. */
function completed(components: readonly Component[]): Component[] {
  const named = new Set(components.map((one) => one['bom-ref']));
  const missing = lockedPackages()
    .filter(({ name, version, dev }) => dev !== true && !named.has(`${name}@${version}`))
    .map(({ name, version, integrity = '', license }) => ({
      ...{ 'bom-ref': `${name}@${version}`, type: 'library', name, version, scope: 'optional' },
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') }],
      ...(license !== undefined && { licenses: [{ expression: license }] }),
    }));
  const unique = new Map(missing.map((one) => [one['bom-ref'], one]));
  return [...components, ...unique.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
}

/** A UUID of version 8 (RFC 9562: custom) out of a digest. */
function uuidFrom(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
