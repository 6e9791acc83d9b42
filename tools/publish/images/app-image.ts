import fs from 'node:fs';
import path from 'node:path';
import { type Image, layerOfFolder, type Layer } from './archive.ts';
import { type Copy, lastStage } from './dockerfile.ts';

export interface AppSources {
  /** A checkout with its bundles under dist/. */
  workspace: string;
  /** Where files are made that the image consists of. */
  scratch: string;
  version: string;
  revision: string;
  epoch: number;
}

/** The image of an app, as docker/Dockerfile describes it: its bundle in one layer on those of the base. */
export function appImage(app: string, base: Image, sources: AppSources): Image {
  const { workspace, version, revision } = sources;
  const dockerfile = fs.readFileSync(path.join(workspace, 'docker/Dockerfile'), 'utf8');
  const { copies, config } = lastStage(dockerfile, { APP: app, VERSION: version, REVISION: revision });
  return {
    layers: [...base.layers, layerOf(app, copies, sources)],
    config: { ...base.config, ...config, Env: merged(base.config.Env, config.Env) },
  };
}

function layerOf(app: string, copies: readonly Copy[], { workspace, scratch, epoch }: AppSources): Layer {
  const folder = path.join(scratch, app);
  for (const { from, to } of copies)
    for (const name of from) copy(path.join(workspace, path.relative('/src', path.resolve('/src', name))), folder, to);
  return layerOfFolder(folder, path.join(scratch, `${app}.tar`), epoch);
}

/** As COPY does: a file into the folder, of a folder what is in it. Throws when there is none. */
function copy(from: string, root: string, to: string): void {
  const target = path.join(root, to);
  fs.mkdirSync(target, { recursive: true });
  if (fs.statSync(from).isDirectory()) fs.cpSync(from, target, { recursive: true });
  else fs.copyFileSync(from, path.join(target, path.basename(from)));
}

/** What is set later wins. */
function merged(before: readonly string[] = [], after: readonly string[] = []): string[] {
  const nameOf = (pair: string) => pair.split('=')[0];
  const names = new Set(after.map(nameOf));
  return [...before.filter((pair) => !names.has(nameOf(pair))), ...after];
}
