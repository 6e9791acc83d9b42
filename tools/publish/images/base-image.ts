import fs from 'node:fs';
import path from 'node:path';
import { codename, debianRootFs } from '../../image-check/debian.ts';
import { nodeOfImages, nodeProgram, versionOf } from '../../nodes/node-versions.mjs';
import { type Image, layerOfFolder, layerOfTar, readArchive } from './archive.ts';

/** Where a base says what it is: a release that is made again from its archive has the same notes. */
const DESCRIPTION = 'org.opencontainers.image.description';

export interface BaseImage {
  image: Image;
  /** What it is, in words. */
  description: string;
}

export interface BaseOptions {
  /** An archive of an image that has Node on its PATH. Left out: one is made. */
  archive?: string;
  scratch: string;
  epoch: number;
}

/**
 * What the images of the apps stand on. Without an archive: Debian's smallest root file system from the mirror of this machine, with
 * the Node version that docker/Dockerfile names. Needs root and mmdebstrap then, and the packages that the mirror has that day.
 */
export async function baseImage({ archive, scratch, epoch }: BaseOptions): Promise<BaseImage> {
  if (archive !== undefined) {
    const image = readArchive(archive, path.join(scratch, 'base'));
    return { image, description: image.config.Labels?.[DESCRIPTION] ?? 'an image that the releaser gave' };
  }
  const rootFs = path.join(scratch, 'debian.tar');
  await debianRootFs(rootFs, epoch);
  const program = nodeProgram(nodeOfImages());
  const { PATH, layer } = nodeLayer(program, scratch, epoch);
  const description = `Debian ${codename()} (minbase, libstdc++6, ca-certificates) with Node ${versionOf(program)}`;
  const config = { Env: [`PATH=${PATH}`], Labels: { [DESCRIPTION]: description } };
  return { image: { layers: [layerOfTar(rootFs), layer], config }, description };
}

/** Node as the images have it. */
export function nodeLayer(program: string, scratch: string, epoch: number) {
  const folder = path.join(scratch, 'node');
  fs.mkdirSync(path.join(folder, 'usr/local/bin'), { recursive: true });
  fs.copyFileSync(program, path.join(folder, 'usr/local/bin/node'));
  fs.chmodSync(path.join(folder, 'usr/local/bin/node'), 0o755);
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    layer: layerOfFolder(folder, path.join(scratch, 'node.tar'), epoch),
  };
}
