import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import type { AppName } from '@constancia/testing';
import type { CheckedImage } from '../image-check/check-app.ts';
import { nodeOfImages, nodeProgram } from '../nodes/node-versions.mjs';
import { type Image, layerOfFolder, readArchive, writeArchive } from './images/archive.ts';
import { nodeLayer } from './images/base-image.ts';
import { unpackTar } from './images/tar.ts';

/** A base for tests, without a mirror: the Node of the images, and the libraries of this machine that its programs load. */
export function smallBase(folder: string, epoch: number): string {
  const root = path.join(folder, 'libraries');
  for (const name of ['tmp', 'proc', 'dev']) fs.mkdirSync(path.join(root, name), { recursive: true });
  const program = nodeProgram(nodeOfImages());
  const libraries = new Set([program, ...nativeFiles()].flatMap(librariesOf));
  for (const file of libraries) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    fs.copyFileSync(fs.realpathSync(file), path.join(root, file));
  }
  const { PATH, layer } = nodeLayer(program, folder, epoch);
  const layers = [layerOfFolder(root, path.join(folder, 'libraries.tar'), epoch), layer];
  const image: Image = { layers, config: { Env: [`PATH=${PATH}`] } };
  const file = path.join(folder, 'base.tar');
  writeArchive(file, image, { name: 'constancia/base', version: 'test', epoch });
  return file;
}

/** Files of packages that the bundles carry and that load libraries of the system. */
function nativeFiles(): string[] {
  const apps = path.join(WORKSPACE, 'dist/apps');
  const files = fs.readdirSync(apps, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => /\.(node|so[.\d]*)$/.test(file)).map((file) => path.join(apps, file));
}

function librariesOf(file: string): string[] {
  const loaded = execFileSync('ldd', [file], { encoding: 'utf8' });
  return [...loaded.matchAll(/(\/\S+) \(0x/g)]
    .map(([, library]) => library as string)
    .filter((library) => !library.startsWith(WORKSPACE));
}

/** The image of an app as its archive in a release has it, unpacked so that image-check runs it, with its names in an engine. */
export function unpackedImage(
  release: string,
  app: AppName,
  version: string,
  folder: string,
): CheckedImage & { tags: string[] } {
  const archive = path.join(release, 'images', `constancia-${app}-${version}.oci.tar`);
  const unpacked = path.join(folder, `${app}-archive`);
  const { layers, config } = readArchive(archive, unpacked);
  const [manifest] = JSON.parse(fs.readFileSync(path.join(unpacked, 'manifest.json'), 'utf8')) as [
    { RepoTags: string[] },
  ];
  const root = path.join(folder, app);
  fs.mkdirSync(root);
  for (const { file } of layers) unpackTar(file, root);
  return {
    tags: manifest.RepoTags,
    root,
    config: {
      user: config.User ?? '',
      entrypoint: config.Entrypoint ?? [],
      env: Object.fromEntries((config.Env ?? []).map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string])),
      labels: config.Labels ?? {},
      healthcheck: config.Healthcheck?.Test ?? [],
    },
  };
}
