import type { KeyObject } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MODULES } from '../deploy/modules.ts';
import { NO_DIGEST } from '../deploy/rendered-files.ts';
import { appImage } from './images/app-image.ts';
import { writeArchive } from './images/archive.ts';
import { baseBom } from './images/base-bom.ts';
import { baseImage } from './images/base-image.ts';
import { signFolder } from './signature.ts';

export interface Release {
  version: string;
  /** The commit that it is made of, and when that was made, in seconds since 1970: the time that everything in it has. */
  revision: string;
  epoch: number;
  /** What the changelog says about it. */
  changes: string;
  /** A checkout of the commit with its bundles under dist/. */
  workspace: string;
  /** An archive of the image that the others stand on. Left out: one is made. */
  base?: string;
  /** What the release has besides images and manifests: paths of files and folders by their names in the release. */
  files: Record<string, string>;
  /** The bill of materials of the apps. */
  bom: string;
  key: KeyObject;
}

/**
 * Writes the folder of a release: images, manifests that name them, clients, bills of materials, notes, checksums and the signature
 * over them. The same commit, packages, base and key give the same bytes. The folder is there as a whole or not at all.
 */
export async function writeRelease(release: Release, target: string): Promise<void> {
  const staging = `${target}.${process.pid}`;
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-release-'));
  fs.rmSync(staging, { recursive: true, force: true });
  try {
    fs.mkdirSync(path.join(staging, 'sbom'), { recursive: true });
    const { digests, base } = await images(release, staging, scratch);
    deployFiles(release.workspace, staging, digests);
    for (const [name, file] of Object.entries(release.files))
      fs.cpSync(file, path.join(staging, name), { recursive: true });
    fs.writeFileSync(path.join(staging, 'sbom/constancia.cdx.json'), release.bom);
    fs.writeFileSync(path.join(staging, 'RELEASE-NOTES.md'), notes(release, digests, base));
    signFolder(staging, release.key);
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(staging, target);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

const archiveName = (name: string, version: string) => `images/constancia-${name}-${version}.oci.tar`;

/** The images as archives, that of the base too, with which the release can be made again; the digests of the apps by name. */
async function images({ base: archive, ...release }: Release, target: string, scratch: string) {
  const { version, epoch } = release;
  fs.mkdirSync(path.join(target, 'images'));
  const base = await baseImage({ archive, scratch, epoch });
  writeArchive(path.join(target, archiveName('base', version)), base.image, {
    name: 'constancia/base',
    version,
    epoch,
  });
  fs.writeFileSync(path.join(target, 'sbom/base-image.cdx.json'), baseBom(base.image));
  const digests = new Map<string, string>();
  for (const { name } of MODULES) {
    const image = appImage(name, base.image, { ...release, scratch });
    const naming = { name: `constancia/${name}`, version, epoch };
    digests.set(name, writeArchive(path.join(target, archiveName(name, version)), image, naming));
  }
  // For manifests of environments of one's own: render/render.js --digests images/digests.json.
  fs.writeFileSync(
    path.join(target, 'images/digests.json'),
    `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`,
  );
  return { digests, base: base.description };
}

/** deploy/ as it is committed, with the digests of the images where it has none. */
function deployFiles(workspace: string, target: string, digests: ReadonlyMap<string, string>): void {
  fs.cpSync(path.join(workspace, 'deploy'), path.join(target, 'deploy'), { recursive: true });
  for (const [name, digest] of digests) {
    const overlays = path.join(target, 'deploy', name, 'overlays');
    for (const environment of fs.readdirSync(overlays)) {
      const file = path.join(overlays, environment, 'image/kustomization.yaml');
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(NO_DIGEST, digest));
    }
  }
}

function notes({ version, revision, changes }: Release, digests: ReadonlyMap<string, string>, base: string): string {
  return [
    `# Constancia ${version}\n`,
    `Made of commit ${revision}. The images stand on ${archiveName('base', version)}: ${base}.\n`,
    '| Image | Digest |',
    '| --- | --- |',
    ...[...digests].map(([name, digest]) => `| \`${archiveName(name, version)}\` | \`${digest}\` |`),
    '',
    changes,
    '',
  ].join('\n');
}
