import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '../build/sources.mjs';

/** Native packages of one platform: NOTICE speaks of them in words, whatever platform it was written on. */
const NATIVE = /^@img\/sharp-/;
const HEADING = 'Packages in the bundles of the servers, by the licence that each declares';

/** The packages that dist/apps holds: compiled into a bundle (its source maps tell), or carried beside it. Sorted. */
function bundledPackages(): string[] {
  const apps = path.join(WORKSPACE, 'dist/apps');
  const found = new Set<string>();
  for (const file of fs.readdirSync(apps, { recursive: true, encoding: 'utf8' })) {
    const carried = /^[^/]+\/node_modules\/((?:@[^/]+\/)?[^/@.][^/]*)$/.exec(file)?.[1];
    if (carried !== undefined) found.add(carried);
    if (!file.endsWith('.js.map') || file.includes('/node_modules/')) continue;
    const { sources } = JSON.parse(fs.readFileSync(path.join(apps, file), 'utf8')) as { sources: string[] };
    for (const source of sources) {
      const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/@.][^/]*)\//.exec(`/${source}`)?.[1];
      if (name !== undefined) found.add(name);
    }
  }
  return [...found].filter((name) => !NATIVE.test(name)).sort();
}

const manifestOf = (name: string): string => path.join(WORKSPACE, 'node_modules', name, 'package.json');

const isInstalled = (name: string): boolean => fs.existsSync(manifestOf(name));

function licenceOf(name: string): string {
  const { license } = JSON.parse(fs.readFileSync(manifestOf(name), 'utf8')) as { license?: string };
  return license ?? 'none declared';
}

/** Words in lines of at most `width` characters. */
function wrapped(words: readonly string[], indent: string, width = 120): string {
  const lines = [indent];
  for (const [nth, word] of words.entries()) {
    const text = nth + 1 < words.length ? `${word}, ` : word;
    if (`${lines.at(-1)}${text}`.trimEnd().length > width) lines.push(indent);
    lines[lines.length - 1] += text;
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** The last section of NOTICE, as it has to be for the bundles that are there. */
function packagesSection(): string {
  const byLicence = new Map<string, string[]>();
  for (const name of bundledPackages()) {
    const licence = licenceOf(name);
    byLicence.set(licence, [...(byLicence.get(licence) ?? []), name]);
  }
  const parts = [...byLicence].sort().map(([licence, names]) => `  ${licence}\n${wrapped(names, '    ')}`);
  return `${HEADING}\n\n${parts.join('\n')}\n`;
}

/** NOTICE with its last section renewed from the bundles. */
export function renewed(notice: string): string {
  const at = notice.indexOf(HEADING);
  if (at < 0) throw new Error(`NOTICE has no section "${HEADING}"`);
  return notice.slice(0, at) + packagesSection();
}

/** The packages that the last section names, each with its licence. */
function named(notice: string): Map<string, string> {
  const packages = new Map<string, string>();
  let licence = '';
  for (const line of notice.slice(notice.indexOf(HEADING) + HEADING.length).split('\n')) {
    if (!line.startsWith('    ')) licence = line.trim();
    else for (const name of line.split(',').map((each) => each.trim())) if (name !== '') packages.set(name, licence);
  }
  return packages;
}

/** What NOTICE gets wrong: packages of a bundle that it does not name, those that are gone, those with another licence. */
export function mistakesIn(notice: string): string[] {
  const packages = named(notice);
  const unnamed = bundledPackages().filter((name) => !packages.has(name));
  const wrong = [...packages].filter(([name, licence]) => !isInstalled(name) || licenceOf(name) !== licence);
  return [...unnamed.map((name) => `${name} is not named`), ...wrong.map(([name]) => `${name} is gone or relicensed`)];
}
