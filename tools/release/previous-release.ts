import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { git } from './history.ts';
import type { SchemaContract } from './schema-contract.ts';

/** The release that may still run beside this one. `npm run release:record` writes it when a release is made. */
export interface PreviousRelease {
  /** The commit that it was built from, in full. */
  commit: string;
  /** Its schemas, as its own migrations make them. */
  contract: SchemaContract;
}

export const RECORD = path.join(WORKSPACE, 'tools/release/previous-release.json');

export function previousRelease(): PreviousRelease {
  return JSON.parse(fs.readFileSync(RECORD, 'utf8')) as PreviousRelease;
}

/**
 * The bundles of a commit, a folder per app: built from the history with the packages that are installed here, once, and kept
 * under dist/.
 */
export function bundlesOf(commit: string): string {
  const kept = path.join(WORKSPACE, 'dist/releases', commit);
  if (fs.existsSync(kept)) return kept;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-release-'));
  try {
    const archive = git('archive', '--format=tar', commit);
    if (archive.status !== 0) throw new Error(`git archive ${commit}: ${String(archive.stderr).trim()}`);
    execFileSync('tar', ['-x', '-C', folder], { input: archive.stdout });
    linkPackages(folder);
    execFileSync(process.execPath, ['tools/build/build.mjs'], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'production' },
      encoding: 'utf8',
      stdio: 'pipe',
    });
    // Built aside and moved as a whole: an interrupted build leaves nothing that looks like bundles.
    const staging = `${kept}.${process.pid}`;
    fs.cpSync(path.join(folder, 'dist/apps'), staging, { recursive: true });
    fs.renameSync(staging, kept);
    return kept;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Every package as it is installed here; our own libraries as they were. */
function linkPackages(folder: string): void {
  const installed = path.join(WORKSPACE, 'node_modules');
  const links = path.join(folder, 'node_modules');
  fs.mkdirSync(path.join(links, '@constancia'), { recursive: true });
  for (const name of fs.readdirSync(installed)) {
    if (name !== '@constancia') fs.symlinkSync(path.join(installed, name), path.join(links, name));
  }
  for (const lib of fs.readdirSync(path.join(folder, 'libs')))
    fs.symlinkSync(path.join(folder, 'libs', lib), path.join(links, '@constancia', lib));
}

/** Runs the migrate command of each module from these bundles, as its owner role. */
export function migrateWith(bundles: string, urlOf: (role: string) => string): void {
  for (const module of ['platform', 'compliance', 'signing']) {
    execFileSync(process.execPath, [path.join(bundles, module, 'main.js'), 'migrate'], {
      env: {
        PATH: process.env.PATH ?? '',
        MIGRATION_DATABASE_URL: urlOf(`${module}_owner`),
        IDENTITY_MIGRATION_DATABASE_URL: urlOf('identity_owner'),
      },
      stdio: 'pipe',
    });
  }
}
