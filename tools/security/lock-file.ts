import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '../build/sources.mjs';

/** A package as package-lock.json has it. */
export interface LockedPackage {
  name: string;
  version: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  engines?: { node?: string };
  hasInstallScript?: boolean;
  link?: boolean;
}

/** Every package that is downloaded; the workspaces themselves are not. */
export function lockedPackages(): LockedPackage[] {
  const { packages } = JSON.parse(fs.readFileSync(path.join(WORKSPACE, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Omit<LockedPackage, 'name'>>;
  };
  return Object.entries(packages).flatMap(([at, one]) => {
    if (!at.includes('node_modules/') || one.link === true) return [];
    return [{ ...one, name: at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length) }];
  });
}

/** Where packages may come from. A lock file without addresses takes them from the registry that npm is set to. */
const REGISTRY = 'https://registry.npmjs.org/';

/** What may be in the lock file of a checkout that anybody can install and trust; nothing: all is well. */
export function lockFaults(packages: readonly LockedPackage[]): string[] {
  return packages.flatMap(({ name, version, resolved, integrity }) => [
    ...(resolved !== undefined && !resolved.startsWith(REGISTRY) ? [`${name} comes from ${resolved}`] : []),
    ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') ? [] : [`${name}@${version} has no SHA-512 integrity`]),
  ]);
}

/** Licences that anybody may build on: permissive, or weak copyleft that ends at the package's own files. */
const ALLOWED = new Set(
  'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 Unlicense CC0-1.0 Zlib Python-2.0 WTFPL'.split(
    ' ',
  ),
);
/** Of tools only, never of what is shipped: weak copyleft and attribution bind who hands the package on. */
const ALLOWED_IN_TOOLS = new Set('MPL-2.0 CC-BY-3.0 CC-BY-4.0 Artistic-2.0'.split(' '));
/** Packages that need a look of their own, and what it showed. */
const LOOKED_AT: readonly [name: RegExp, why: string][] = [
  [
    /^@img\/sharp-(libvips|wasm32|win32)/,
    'libvips, LGPL-3.0-or-later, a shared library of its own: NOTICE says how to replace it',
  ],
  [/^dejavu-fonts-ttf$/, 'Bitstream Vera and Arev terms, free to embed and hand on: NOTICE carries them'],
  [/^(busboy|dicer|streamsearch)$/, 'MIT in the old `licenses` member, and in the LICENSE file'],
  [/^mercadopago$/, 'MIT in the LICENSE file; a tool, which tests compare signatures with'],
  [/^(only|humanize-number)$/, 'MIT by their README; of s3rver, which only tests start'],
];

/** Packages whose licence is not allowed where they are used. */
export function licenceFaults(packages: readonly LockedPackage[]): string[] {
  return packages
    .filter(({ name }) => !LOOKED_AT.some(([pattern]) => pattern.test(name)))
    .filter(({ license, dev }) => !allowed(license ?? '', dev === true))
    .map(({ name, license }) => `${name}: ${license ?? 'no licence'}`);
}

/** An SPDX expression of AND and OR: all of one alternative are allowed. */
function allowed(expression: string, inTools: boolean): boolean {
  const one = (id: string) => ALLOWED.has(id) || (inTools && ALLOWED_IN_TOOLS.has(id));
  const alternatives = expression.replace(/[()]/g, '').split(' OR ');
  return alternatives.some((all) => all.split(' AND ').every((id) => one(id.trim())));
}
