/** The Node versions that the system is tested on, and their programs from the npm registry. Only Node's own modules. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '../build/sources.mjs';

/** By major version. */
export const TESTED_NODES = ['20', '22', '24', '26'];

const FOLDER = path.join(WORKSPACE, '.local/nodes');

/** The major version of Node in the images: that of the base image which docker/Dockerfile names. */
export function nodeOfImages(dockerfile = fs.readFileSync(path.join(WORKSPACE, 'docker/Dockerfile'), 'utf8')) {
  const major = /^ARG BASE=\S*\bnode:(\d+)\b/m.exec(dockerfile)?.[1];
  if (major === undefined) throw new Error('docker/Dockerfile names no Node version in ARG BASE');
  return major;
}

/**
 * The program of a Node version: that of this process when it is the one, otherwise the newest of the major version from npm's
 * package for this machine (what the package "node" installs), kept under .local/nodes.
 */
export function nodeProgram(major) {
  if (process.versions.node.split('.')[0] === major) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const folder = path.join(FOLDER, major);
  const program = path.join(folder, 'node_modules', name, 'bin/node');
  if (!fs.existsSync(program)) {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, `${name}@${major}`];
    const { status } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`${name}@${major} could not be installed from the npm registry`);
  }
  return program;
}

/** The whole version that a program is, without the v. */
export const versionOf = (program) => execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().slice(1);
