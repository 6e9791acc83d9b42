import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { bundleRenderer } from './renderer.ts';

function run(program: string, args: readonly string[], cwd = WORKSPACE): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Debian's Python, whatever else is on the PATH: hatchling belongs to it. Undefined: there is none. */
export function pythonWithHatchling(): string | undefined {
  return ['/usr/bin/python3', 'python3'].find((each) => spawnSync(each, ['-c', 'import hatchling']).status === 0);
}

/**
 * What a release has besides images and manifests: files and folders by their names in it. The apps are built before; the rest is built
 * here.
 */
export async function buildFiles(version: string): Promise<Record<string, string>> {
  const dist = path.join(WORKSPACE, 'dist');
  const clients = [`constancia-sdk-${version}.tgz`, `constancia-${version}-py3-none-any.whl`];
  const python = pythonWithHatchling();
  if (python === undefined) throw new Error('No Python with hatchling (Debian: python3-hatchling).');
  run(process.execPath, ['tools/build/sdk.mjs']);
  run(python, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', dist], path.join(WORKSPACE, 'libs/sdk-python'));
  const render = path.join(dist, 'tools/render');
  await bundleRenderer(render);
  return {
    render,
    ...Object.fromEntries(clients.map((name) => [`clients/${name}`, path.join(dist, name)])),
    database: path.join(dist, 'tools/local/bootstrap'),
    LICENSE: path.join(WORKSPACE, 'LICENSE'),
    NOTICE: path.join(WORKSPACE, 'NOTICE'),
  };
}
