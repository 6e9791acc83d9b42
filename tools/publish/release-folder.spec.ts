import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { NO_DIGEST } from '../deploy/rendered-files.ts';
import { MODULES } from '../deploy/modules.ts';
import { type Image, layerOfFolder, readArchive, writeArchive } from './images/archive.ts';
import { writeRelease } from './release-folder.ts';
import { fingerprintOf, releaseKey } from './signature.ts';

const EPOCH = 1_790_000_000;
const STATUS =
  'Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 2.36-9\n\nPackage: gone\nStatus: deinstall ok config-files\nVersion: 1\n';
const { privateKey } = generateKeyPairSync('ed25519');

describe('the folder of a release, made of small bundles on a small base', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'release-'));
  const at = (...names: string[]) => path.join(folder, ...names);
  const read = (name: string) => fs.readFileSync(at('first', name), 'utf8');
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true });
    fs.writeFileSync(at(name), text);
  };
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  /** A checkout whose files were written in this order, at this time, by somebody with this umask. */
  function checkout(
    name: string,
    { reversed, umask, time }: { reversed: boolean; umask: number; time: number },
  ): string {
    const before = process.umask(umask);
    const files = MODULES.flatMap((module) =>
      ['main.js', 'chunks/a.js', 'node_modules/x/LICENSE'].map((file) => `dist/apps/${module.name}/${file}`),
    );
    for (const file of reversed ? files.toReversed() : files) {
      write(`${name}/${file}`, `// ${file}\n`);
      fs.utimesSync(at(name, file), time, time);
    }
    for (const file of ['LICENSE', 'NOTICE', 'docker', 'deploy'])
      fs.cpSync(path.join(WORKSPACE, file), at(name, file), { recursive: true });
    process.umask(before);
    return at(name);
  }

  async function release(workspace: string, target: string): Promise<void> {
    const made = { version: '1.2.0', revision: 'abc', epoch: EPOCH, changes: '### Added\n\n- One.' };
    const files = { 'clients/client.tgz': at('client.tgz'), database: at('database') };
    const given = { workspace, files, base: at('base.tar'), bom: '{}\n', key: privateKey };
    await writeRelease({ ...made, ...given }, at(target));
  }

  beforeAll(async () => {
    write('root/usr/local/bin/node', 'a program');
    fs.chmodSync(at('root/usr/local/bin/node'), 0o755);
    write('root/var/lib/dpkg/status', STATUS);
    write('client.tgz', 'a client');
    write('database/main.js', 'a tool');
    const base: Image = {
      layers: [layerOfFolder(at('root'), at('root.tar'), EPOCH)],
      config: { Env: ['PATH=/bin'], Labels: { 'org.opencontainers.image.description': 'A small base' } },
    };
    writeArchive(at('base.tar'), base, { name: 'constancia/base', version: '1', epoch: EPOCH });
    await release(checkout('one', { reversed: false, umask: 0o022, time: 1 }), 'first');
    await release(checkout('two', { reversed: true, umask: 0o077, time: 99 }), 'second');
  }, 60_000);

  it('is the same to the byte when it is made again', () => {
    expect(execFileSync('diff', ['--recursive', at('first'), at('second')], { encoding: 'utf8' })).toBe('');
  });

  it('has an image of every module, which runs as docker/Dockerfile says on the base', () => {
    for (const { name } of MODULES) {
      const { layers, config } = readArchive(at('first/images', `constancia-${name}-1.2.0.oci.tar`), at('read', name));
      expect(layers).toHaveLength(2);
      expect(config).toMatchObject({
        User: '65532:65532',
        Env: expect.arrayContaining(['PATH=/bin', 'PORT=3000']) as unknown,
      });
      const app = layers.at(-1)?.file as string;
      const listed = execFileSync('tar', ['--list', '--verbose', '--gzip', '--file', app], { encoding: 'utf8' });
      expect(listed).toMatch(/^-rw-r--r-- 0\/0 .* app\/main\.js$/m);
      expect(listed).toMatch(/^-rw-r--r-- 0\/0 .* app\/LICENSE$/m);
    }
  });

  it('names blobs by their digests, and is what docker load reads', () => {
    const image = at('read/signing');
    for (const name of fs.readdirSync(path.join(image, 'blobs/sha256')))
      expect(
        createHash('sha256')
          .update(fs.readFileSync(path.join(image, 'blobs/sha256', name)))
          .digest('hex'),
      ).toBe(name);
    const [docker] = JSON.parse(fs.readFileSync(path.join(image, 'manifest.json'), 'utf8')) as [
      { Config: string; RepoTags: string[]; Layers: string[] },
    ];
    expect(docker.RepoTags).toEqual(['constancia/signing:1.2.0']);
    for (const name of [docker.Config, ...docker.Layers])
      expect(fs.existsSync(path.join(image, name)), name).toBe(true);
  });

  it('has manifests that name these images by digest, and notes that list them', () => {
    const index = JSON.parse(fs.readFileSync(at('read/signing/index.json'), 'utf8')) as {
      manifests: { digest: string }[];
    };
    const digest = index.manifests[0]?.digest as string;
    expect(read('deploy/signing/overlays/production/image/kustomization.yaml')).toContain(`digest: ${digest}`);
    expect(execFileSync('grep', ['-rlc', NO_DIGEST, WORKSPACE + '/deploy'], { encoding: 'utf8' })).not.toBe('');
    expect(spawnSync('grep', ['-rl', NO_DIGEST, at('first/deploy')], { encoding: 'utf8' }).stdout).toBe('');
    expect((JSON.parse(read('images/digests.json')) as Record<string, string>).signing).toBe(digest);
    expect(read('RELEASE-NOTES.md')).toMatch(/^# Constancia 1\.2\.0\n/);
    expect(read('RELEASE-NOTES.md')).toContain(digest);
    expect(read('RELEASE-NOTES.md')).toContain('constancia-base-1.2.0.oci.tar: A small base.');
    expect(read('RELEASE-NOTES.md')).toContain('- One.');
  });

  it('lists the packages of the base', () => {
    const { components } = JSON.parse(read('sbom/base-image.cdx.json')) as { components: { purl: string }[] };
    expect(components.map(({ purl }) => purl)).toEqual(['pkg:deb/debian/libc6@2.36-9?arch=amd64']);
  });

  it('has the checksum of every file, and a signature over them that openssl verifies', () => {
    expect(spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: at('first') }).status).toBe(0);
    const listed = read('SHA256SUMS')
      .trim()
      .split('\n')
      .map((line) => line.slice(66));
    const files = fs.readdirSync(at('first'), { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    expect(listed).toHaveLength(files.length - 2);
    const signature = fs.readFileSync(at('first/SHA256SUMS.sig'));
    expect(verify(null, fs.readFileSync(at('first/SHA256SUMS')), createPublicKey(privateKey), signature)).toBe(true);
    fs.writeFileSync(at('release.pub'), createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
    const guide = fs.readFileSync('docs/guides/upgrade.md', 'utf8');
    const command = guide
      .match(/^openssl pkeyutl -verify .*$/m)?.[0]
      .replace('release.pub', at('release.pub')) as string;
    expect(execFileSync('sh', ['-c', command], { cwd: at('first'), encoding: 'utf8' })).toContain(
      'Verified Successfully',
    );
    fs.appendFileSync(at('second/SHA256SUMS'), 'more\n');
    expect(spawnSync('sh', ['-c', command], { cwd: at('second') }).status).not.toBe(0);
  });

  it('leaves nothing behind that is no release', () => {
    expect(fs.readdirSync(folder).filter((name) => /^(first|second)./.test(name))).toEqual([]);
  });
});

describe('the key that signs releases', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'release-key-'));
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  const pem = (name: string, text: string | Buffer) => {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };

  it('is an Ed25519 key outside of the repository, encrypted or not', () => {
    const options = { type: 'pkcs8', format: 'pem' } as const;
    const plain = pem('plain.pem', privateKey.export(options));
    const passphrase = 'only for this test';
    const encrypted = pem('encrypted.pem', privateKey.export({ ...options, cipher: 'aes-256-cbc', passphrase }));
    expect(fingerprintOf(releaseKey(plain))).toMatch(/^[0-9a-f]{64}$/);
    expect(fingerprintOf(releaseKey(encrypted, passphrase))).toBe(fingerprintOf(privateKey));
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    expect(() => releaseKey(pem('rsa.pem', rsa.export(options)))).toThrow('is a key of type rsa');
    expect(() => releaseKey(path.join(WORKSPACE, 'package.json'))).toThrow('lies in the repository');
  });
});
