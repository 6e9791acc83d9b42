/**
 * npm run release -- X.Y.Z --key FILE [--base ARCHIVE]: writes dist/release/X.Y.Z from the commit that is checked out. FILE is the
 * Ed25519 key (PEM) that signs it, its passphrase stands in RELEASE_KEY_PASSPHRASE. ARCHIVE is the base of the images, for example
 * that of a release that is to be made again, or what `skopeo copy docker://node:24-bookworm-slim oci-archive:base.tar` wrote; without
 * it Debian is installed into one, which needs root and mmdebstrap. Needs GNU tar, gzip and Python with hatchling.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { productionBom } from '../security/production-bom.ts';
import { sectionOf, VERSION } from './changelog.ts';
import { commitOf, secondsOf, uncommittedFiles } from '../release/history.ts';
import { writeRelease } from './release-folder.ts';
import { bundleRenderer } from './renderer.ts';
import { fingerprintOf, releaseKey } from './signature.ts';

/** What carries the version that people see: the bill of materials and the two clients. */
const VERSIONED = ['package.json', 'libs/sdk/package.json', 'libs/sdk-python/package.json'];

const read = (file: string) => fs.readFileSync(path.join(WORKSPACE, file), 'utf8');

/** Throws when this commit is not that version, or the checkout not that commit. */
function changesOf(version: string): string {
  const changes = sectionOf(read('CHANGELOG.md'), version);
  const others = VERSIONED.filter((file) => (JSON.parse(read(file)) as { version: string }).version !== version);
  if (others.length > 0) throw new Error(`${others.join(', ')} has another version than ${version}.`);
  const uncommitted = uncommittedFiles();
  if (uncommitted.length > 0) throw new Error(`A release is made of a commit. Not in it:\n${uncommitted.join('\n')}`);
  return changes;
}

function run(program: string, args: readonly string[], cwd = WORKSPACE): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Debian's Python, whatever else is on the PATH: hatchling belongs to it. */
function python(): string {
  const found = ['/usr/bin/python3', 'python3'].find(
    (each) => spawnSync(each, ['-c', 'import hatchling']).status === 0,
  );
  if (found === undefined) throw new Error('No Python with hatchling (Debian: python3-hatchling).');
  return found;
}

/** Builds what a release has besides images and manifests; files and folders by their names in it. */
async function build(version: string): Promise<Record<string, string>> {
  const dist = path.join(WORKSPACE, 'dist');
  const clients = [`constancia-sdk-${version}.tgz`, `constancia-${version}-py3-none-any.whl`];
  run(process.execPath, ['tools/build/build.mjs', '--force']);
  run(process.execPath, ['tools/build/sdk.mjs']);
  run(python(), ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', dist], path.join(WORKSPACE, 'libs/sdk-python'));
  const render = path.join(dist, 'tools/render');
  await bundleRenderer(render);
  return {
    render,
    ...Object.fromEntries(clients.map((name) => [`clients/${name}`, path.join(dist, name)])),
    database: path.join(dist, 'tools/local/bootstrap'),
    LICENSE: path.join(WORKSPACE, 'LICENSE'),
    NOTICE: path.join(WORKSPACE, 'NOTICE'),
  };
}

const { values, positionals } = parseArgs({
  options: { key: { type: 'string' }, base: { type: 'string' } },
  allowPositionals: true,
});
try {
  const [version] = positionals;
  if (version === undefined || !VERSION.test(version) || values.key === undefined)
    throw new Error('Usage: npm run release -- X.Y.Z --key FILE [--base ARCHIVE]');
  const changes = changesOf(version);
  const key = releaseKey(values.key, process.env.RELEASE_KEY_PASSPHRASE);
  const revision = commitOf('HEAD');
  const target = path.join(WORKSPACE, 'dist/release', version);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const files = await build(version);
  const bom = await productionBom();
  const made = { version, revision, epoch: secondsOf(revision), changes, workspace: WORKSPACE, files, bom, key };
  await writeRelease({ ...made, base: values.base }, target);
  console.log(`dist/release/${version}, signed by the key with SHA-256 ${fingerprintOf(key)}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
