/**
 * npm run release -- X.Y.Z --key FILE [--base ARCHIVE]: writes dist/release/X.Y.Z from the commit that is checked out. FILE is the
 * Ed25519 key (PEM) that signs it, its passphrase stands in RELEASE_KEY_PASSPHRASE. ARCHIVE is the base of the images, for example
 * that of a release that is to be made again, or what `skopeo copy docker://node:24-bookworm-slim oci-archive:base.tar` wrote; without
 * it Debian is installed into one, which needs root and mmdebstrap. Needs GNU tar, gzip and Python with hatchling.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { productionBom } from '../security/production-bom.ts';
import { sectionOf, VERSION } from './changelog.ts';
import { commitOf, secondsOf, uncommittedFiles } from '../release/history.ts';
import { buildFiles } from './release-files.ts';
import { writeRelease } from './release-folder.ts';
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
  execFileSync(process.execPath, ['tools/build/build.mjs', '--force'], { cwd: WORKSPACE, stdio: 'inherit' });
  const files = await buildFiles(version);
  const bom = await productionBom();
  const made = { version, revision, epoch: secondsOf(revision), changes, workspace: WORKSPACE, files, bom, key };
  await writeRelease({ ...made, base: values.base }, target);
  console.log(`dist/release/${version}, signed by the key with SHA-256 ${fingerprintOf(key)}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
