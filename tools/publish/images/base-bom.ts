import { execFileSync } from 'node:child_process';
import type { Image } from './archive.ts';

const STATUS = 'var/lib/dpkg/status';

/** The Debian packages of a base image as CycloneDX 1.5, from the list that dpkg keeps in it; none where it has no such list. */
export function baseBom({ layers }: Image): string {
  const lists = layers.flatMap(({ file }) => statusIn(file));
  const components = packagesIn(lists.at(-1) ?? '').map(({ name, version, architecture }) => ({
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`,
  }));
  const metadata = { component: { type: 'container', name: 'constancia-base' } };
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components }, null, 2)}\n`;
}

/** A layer's list of packages, if it has one: a later layer replaces it. */
function statusIn(layer: string): string[] {
  const names = execFileSync('tar', ['--list', '--gzip', '--file', layer], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const name = names.split('\n').find((each) => each.replace(/^\.\//, '') === STATUS);
  if (name === undefined) return [];
  const args = ['--extract', '--to-stdout', '--gzip', '--file', layer, name];
  return [execFileSync('tar', args, { encoding: 'utf8', maxBuffer: 1 << 28 })];
}

function packagesIn(status: string): { name: string; version: string; architecture: string }[] {
  const field = (paragraph: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1] ?? '';
  return status
    .split('\n\n')
    .filter((paragraph) => field(paragraph, 'Status').endsWith(' installed'))
    .map((paragraph) => ({
      name: field(paragraph, 'Package'),
      version: field(paragraph, 'Version'),
      architecture: field(paragraph, 'Architecture'),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
