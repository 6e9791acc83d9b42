import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { nodeOfImages, nodeProgram, versionOf } from '../nodes/node-versions.mjs';
import { CheckFailed, command } from './command.ts';
import { debianRootFs } from './debian.ts';

const BUNDLES = 'localhost/constancia-bundles:checked';

/** What an image says about how it is run. */
export interface ImageConfig {
  user: string;
  entrypoint: string[];
  env: Record<string, string>;
  labels: Record<string, string>;
  /** As Docker keeps it: CMD and the program's words, or CMD-SHELL and a line. */
  healthcheck: string[];
}

/** What images are made of: the checkout's files, and the base image. */
export interface Sources {
  context: string;
  base: string;
}

/** Images in a folder of their own: buildah with chroot isolation and plain copies, no engine and no registry. */
export class ImageStore {
  constructor(private readonly folder: string) {
    fs.mkdirSync(folder, { recursive: true });
  }

  /**
   * The base image: Debian's smallest, with the Node version of docker/Dockerfile and this machine's npm. It stands for the Node
   * image that ARG BASE names where there is a registry. Made once per version of Node.
   */
  async base(): Promise<string> {
    const node = nodeProgram(nodeOfImages());
    const tag = `localhost/constancia-base:node-${versionOf(node)}`;
    if (await this.has(tag)) return tag;
    const context = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-base-'));
    try {
      await debianRootFs(path.join(context, 'debian.tar'), 0);
      fs.copyFileSync(node, path.join(context, 'node'));
      fs.cpSync(npmFolder(), path.join(context, 'npm'), { recursive: true, dereference: true });
      fs.writeFileSync(
        path.join(context, 'Dockerfile'),
        [
          'FROM scratch',
          'ADD debian.tar /',
          'COPY --chmod=755 node /usr/local/bin/node',
          'COPY npm /usr/local/lib/node_modules/npm',
          'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
          'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
          '',
        ].join('\n'),
      );
      await this.buildah(['build', '--isolation', 'chroot', '--tag', tag, context]);
    } finally {
      fs.rmSync(context, { recursive: true, force: true });
    }
    return tag;
  }

  /** The stage that installs and bundles, as an image of its own: every app's image is made from it. `again`: that of the last run. */
  async bundles(from: Sources, again = false): Promise<string> {
    if (again && (await this.has(BUNDLES))) return BUNDLES;
    const { NPM_CONFIG_USERCONFIG, NODE_EXTRA_CA_CERTS } = process.env;
    const secrets = { npmrc: NPM_CONFIG_USERCONFIG ?? path.join(os.homedir(), '.npmrc'), ca: NODE_EXTRA_CA_CERTS };
    const given = Object.entries(secrets).flatMap(([id, file]) =>
      file !== undefined && fs.existsSync(file) ? ['--secret', `id=${id},src=${file}`] : [],
    );
    return this.build(from, BUNDLES, [...given, '--target', 'build']);
  }

  /** Builds an app's image from docker/Dockerfile. */
  async app(app: string, bundles: string, from: Sources): Promise<string> {
    const args = { APP: app, BUNDLES: bundles, VERSION: 'checked' };
    const given = Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
    return this.build(from, `localhost/constancia/${app}:checked`, given);
  }

  private async has(image: string): Promise<boolean> {
    return (await this.buildah(['images', '--quiet', '--filter', `reference=${image}`])).trim() !== '';
  }

  private async build({ context, base }: Sources, tag: string, args: readonly string[]): Promise<string> {
    const how = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--build-arg', `BASE=${base}`];
    const file = ['--file', path.join(context, 'docker/Dockerfile'), '--tag', tag];
    await this.buildah(['build', ...how, ...args, ...file, context], false);
    return tag;
  }

  async config(image: string): Promise<ImageConfig> {
    const text = await this.buildah(['inspect', '--type', 'image', image]);
    const { config } = (JSON.parse(text) as { Docker: { config: DockerConfig } }).Docker;
    return {
      user: config.User ?? '',
      entrypoint: config.Entrypoint ?? [],
      env: Object.fromEntries((config.Env ?? []).map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string])),
      labels: config.Labels ?? {},
      healthcheck: config.Healthcheck?.Test ?? [],
    };
  }

  /** The folder that holds an image's root file system, and the function that lets it go. */
  async mounted(image: string): Promise<{ root: string; release: () => Promise<unknown> }> {
    const container = (await this.buildah(['from', '--pull-never', image])).trim();
    const root = (await this.buildah(['mount', container])).trim();
    return { root, release: () => this.buildah(['rm', container]) };
  }

  async remove(image: string): Promise<void> {
    await this.buildah(['rmi', image]);
  }

  private buildah(args: readonly string[], quiet = true): Promise<string> {
    const [first, ...rest] = args as [string, ...string[]];
    const own = ['--storage-driver', 'vfs', '--root', path.join(this.folder, 'storage'), '--runroot'];
    // Images are built from nothing but local ones: no list of registries is asked for.
    return command('buildah', [...own, path.join(this.folder, 'run'), first, ...rest], { quiet });
  }
}

interface DockerConfig {
  User?: string;
  Entrypoint?: string[];
  Env?: string[];
  Labels?: Record<string, string>;
  Healthcheck?: { Test?: string[] };
}

function npmFolder(): string {
  const found = ['../lib/node_modules/npm', '../../lib/node_modules/npm']
    .map((relative) => path.resolve(path.dirname(fs.realpathSync(process.execPath)), relative))
    .find((folder) => fs.existsSync(folder));
  if (found === undefined) throw new CheckFailed(`No npm beside ${process.execPath}.`);
  return found;
}
