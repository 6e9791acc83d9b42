import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { ContainerConfig } from './dockerfile.ts';
import { gzip, packTar, unpackTar } from './tar.ts';

const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

/** A compressed tar of files, in `file`. */
export interface Layer {
  descriptor: Descriptor;
  /** Of the tar before it was compressed. */
  diffId: string;
  file: string;
}

export interface Image {
  layers: Layer[];
  config: ContainerConfig;
}

/** How an image is called in an archive, and the time that everything in it has (seconds since 1970). */
export interface Naming {
  name: string;
  version: string;
  epoch: number;
}

const digestOf = (bytes: Buffer | string): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const descriptorOf = (mediaType: string, bytes: Buffer | string): Descriptor => ({
  mediaType,
  digest: digestOf(bytes),
  size: Buffer.byteLength(bytes),
});

/** As Go and so OCI calls the processor of this machine, whose native packages the bundles carry. */
const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;

/** A layer of a tar, which is compressed where it lies. */
export function layerOfTar(tar: string): Layer {
  const diffId = digestOf(fs.readFileSync(tar));
  const file = gzip(tar);
  return { descriptor: descriptorOf(LAYER, fs.readFileSync(file)), diffId, file };
}

/** A layer of all that lies in a folder; `file` is where its tar is made. */
export function layerOfFolder(folder: string, file: string, epoch: number): Layer {
  packTar(folder, file, epoch, fs.readdirSync(folder).sort());
  return layerOfTar(file);
}

/**
 * Writes an image as an archive: a tar of an OCI image layout, with the manifest.json that `docker load` reads beside it. Answers the
 * digest of its manifest, by which clusters name the image.
 */
export function writeArchive(file: string, { layers, config }: Image, { name, version, epoch }: Naming): string {
  const folder = fs.mkdtempSync(`${file}.`);
  try {
    const blobs = path.join(folder, 'blobs/sha256');
    fs.mkdirSync(blobs, { recursive: true });
    const blob = (digest: string) => path.join(blobs, digest.slice('sha256:'.length));
    const write = (mediaType: string, value: object): Descriptor => {
      const text = JSON.stringify(value);
      const descriptor = descriptorOf(mediaType, text);
      fs.writeFileSync(blob(descriptor.digest), text);
      return descriptor;
    };
    for (const layer of layers) fs.copyFileSync(layer.file, blob(layer.descriptor.digest));
    const configured = write(CONFIG, {
      created: new Date(epoch * 1_000).toISOString(),
      architecture: ARCHITECTURE,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    });
    const manifest = write(MANIFEST, {
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: configured,
      layers: layers.map(({ descriptor }) => descriptor),
    });
    const tag = `${name}:${version}`;
    const annotations = { 'io.containerd.image.name': tag, 'org.opencontainers.image.ref.name': version };
    const index = { schemaVersion: 2, mediaType: INDEX, manifests: [{ ...manifest, annotations }] };
    const inDocker = ({ digest }: Descriptor) => digest.replace('sha256:', 'blobs/sha256/');
    const docker = [
      {
        Config: inDocker(configured),
        RepoTags: [tag],
        Layers: layers.map(({ descriptor }) => inDocker(descriptor)),
      },
    ];
    fs.writeFileSync(path.join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    fs.writeFileSync(path.join(folder, 'index.json'), JSON.stringify(index));
    fs.writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(docker));
    packTar(folder, file, epoch, ['oci-layout', 'index.json', 'manifest.json', 'blobs']);
    return manifest.digest;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads an archive of one image, for this machine's processor, into a folder, where its layers stay. */
export function readArchive(file: string, folder: string): Image {
  fs.mkdirSync(folder, { recursive: true });
  unpackTar(file, folder);
  const blob = (digest: string) => path.join(folder, 'blobs', digest.replace(':', '/'));
  const json = <T>(name: string) => JSON.parse(fs.readFileSync(name, 'utf8')) as T;
  const { manifests } = json<{ manifests: Descriptor[] }>(path.join(folder, 'index.json'));
  const [only] = manifests;
  if (only === undefined || manifests.length > 1 || only.mediaType === INDEX)
    throw new Error(`${file} holds several images: give an archive of one, for ${ARCHITECTURE}`);
  const manifest = json<{ config: Descriptor; layers: Descriptor[] }>(blob(only.digest));
  const { architecture, config, rootfs } = json<{
    architecture: string;
    config: ContainerConfig;
    rootfs: { diff_ids: string[] };
  }>(blob(manifest.config.digest));
  if (architecture !== ARCHITECTURE) throw new Error(`${file} is an image for ${architecture}, not ${ARCHITECTURE}`);
  const layers = manifest.layers.map((descriptor, index) => ({
    descriptor,
    diffId: rootfs.diff_ids[index] as string,
    file: blob(descriptor.digest),
  }));
  return { layers, config };
}
