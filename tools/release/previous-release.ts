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
 * The bundles of a commit, a folder per app: built from the history with the packages that are installed here, and those that are no
 * longer needed here from the npm registry; once, and kept under dist/.
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

/** Every package as it is installed here; what is not, in the version that the commit names; our own libraries as they were. */
function linkPackages(folder: string): void {
  const installed = path.join(WORKSPACE, 'node_modules');
  const others = path.join(folder, 'others');
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const missing = Object.entries(dependencies).filter(([name]) => !fs.existsSync(path.join(installed, name)));
  if (missing.length > 0) {
    const packages = missing.map(([name, version]) => `${name}@${version}`);
    const options = ['--prefix', others, '--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', ...options, ...packages], { encoding: 'utf8', stdio: 'pipe' });
  }
  const links = path.join(folder, 'node_modules');
  for (const from of [installed, path.join(others, 'node_modules')])
    for (const name of packagesIn(from)) link(path.join(from, name), path.join(links, name));
  for (const lib of fs.readdirSync(path.join(folder, 'libs')))
    link(path.join(folder, 'libs', lib), path.join(links, '@constancia', lib));
}

/** Names of the packages in a node_modules folder, but our own. */
function packagesIn(folder: string): string[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name !== '@constancia') : [];
  return names.flatMap((name) =>
    name.startsWith('@') ? fs.readdirSync(path.join(folder, name)).map((each) => `${name}/${each}`) : [name],
  );
}

/** Links a name to a folder, unless the name is taken. */
function link(target: string, name: string): void {
  if (fs.existsSync(name)) return;
  fs.mkdirSync(path.dirname(name), { recursive: true });
  fs.symlinkSync(target, name);
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
