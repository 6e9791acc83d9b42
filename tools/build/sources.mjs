/** Which sources make which bundle, and their content hash. Only Node's own modules: the launcher asks before `npm ci`. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '../../libs/bundling/src/workspace.mjs';

export { WORKSPACE };

/** Bundles that are no app: what the launcher itself runs. By the name under dist/. */
export const TOOLS = { 'tools/local/bootstrap': 'tools/local/bootstrap.ts' };

/**
 * Pages that Vite builds: the apps that serve them, and the folder beside their bundles. By their folder, under the workspace as under
 * dist/.
 *
 * @type {Record<string, { servedBy: string[], beside: string }>}
 */
export const PAGES = {
  'apps/signer-web': { servedBy: ['signing'], beside: 'web' },
  'apps/console': { servedBy: ['platform'], beside: 'console-page' },
  'apps/person-web': { servedBy: ['platform'], beside: 'person-page' },
  'apps/ops-web': { servedBy: ['platform', 'compliance', 'signing'], beside: 'ops-page' },
};

/** The test kit, the development servers and the client are in no bundle. */
const NOT_BUNDLED = ['libs/testing', 'libs/dev-servers', 'libs/sdk', 'libs/sdk-python'];
const SHARED = [
  'libs',
  'docs/api',
  'tools/build',
  'tools/local/bootstrap.ts',
  'tools/local/role-password.mjs',
  'package-lock.json',
  'tsconfig.base.json',
];

function filesUnder(relative) {
  const absolute = path.join(WORKSPACE, relative);
  if (NOT_BUNDLED.includes(relative) || !fs.existsSync(absolute)) return [];
  if (fs.statSync(absolute).isFile()) return [relative];
  return fs
    .readdirSync(absolute, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && entry.name !== 'node_modules' && entry.name !== 'dist')
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(`${relative}/${entry.name}`) : [`${relative}/${entry.name}`]))
    .filter((file) => !/\.spec\.tsx?$|\.md$/.test(file));
}

/** What the stamp of a bundle is made of. All of it is in the inputs of the nx target, so that both agree on what is up to date. */
export const stampedFiles = (folder) => [...SHARED, folder].flatMap(filesUnder);

function digest(files) {
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(fs.readFileSync(path.join(WORKSPACE, file)))
      .update('\0');
  return hash.digest('hex');
}

/** The apps that are processes: with an entry, and no page of another app. By folder name. */
export function apps() {
  return fs
    .readdirSync(path.join(WORKSPACE, 'apps'))
    .filter((name) => !Object.hasOwn(PAGES, `apps/${name}`))
    .filter((name) => fs.existsSync(path.join(WORKSPACE, 'apps', name, 'src/main.ts')))
    .sort();
}

/** The stamp that every bundle should carry: what it is made of. By the bundle's folder under dist/. */
export function stamps() {
  const shared = digest(SHARED.flatMap(filesUnder));
  const stamp = (own) => createHash('sha256').update(shared).update(own).digest('hex').slice(0, 16);
  /** @type {[folder: string, stamp: string][]} */
  const pages = Object.keys(PAGES).map((folder) => [folder, stamp(digest(filesUnder(folder)))]);
  const served = (app) => pages.filter(([folder]) => PAGES[folder].servedBy.includes(app)).join();
  return new Map(
    /** @type {[folder: string, stamp: string][]} */ ([
      ...pages, // first: the app that serves them copies them
      ...apps().map((app) => [`apps/${app}`, stamp(digest(filesUnder(`apps/${app}`)) + served(app))]),
      ...Object.keys(TOOLS).map((tool) => [tool, stamp(tool)]),
    ]),
  );
}

/** The bundles whose stamp differs from their sources, with the stamp that they should carry. */
export function outdated() {
  return [...stamps()].filter(([folder, stamp]) => builtStamp(folder) !== stamp);
}

/** The stamp of what stands under dist/, or null. */
export function builtStamp(folder) {
  try {
    return fs.readFileSync(path.join(WORKSPACE, 'dist', folder, '.stamp'), 'utf8');
  } catch {
    return null;
  }
}
