import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';

/** Not copied: made, or the same wherever they are. */
const LEFT_OUT = ['.git', '.local', '.nx', 'dist', 'node_modules'];

/** For --import: a machine where it is another day, and where folders list their files the other way around. */
const OTHER_MACHINE = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { readdirSync, readdir, promises, Dir } = fs;
const listFiles = promises.readdir;
const reversed = (names) => names.toReversed();
fs.readdirSync = (...args) => reversed(readdirSync(...args));
fs.readdir = (...args) => {
  const done = args.pop();
  readdir(...args, (error, names) => (error ? done(error) : done(null, reversed(names))));
};
promises.readdir = async (...args) => reversed(await listFiles(...args));
syncBuiltinESMExports();
const Today = Date;
const OTHER = 400 * 86_400_000;
globalThis.Date = class Date extends Today {
  constructor(...args) {
    if (args.length > 0) super(...args);
    else super(Today.now() + OTHER);
  }
  static now() {
    return Today.now() + OTHER;
  }
};
`;

/** This checkout at another path, without packages, committed at that time (seconds since 1970): its files are new. */
export function checkoutElsewhere(workspace: string, epoch: number): { revision: string } {
  fs.mkdirSync(workspace, { recursive: true });
  const copied = fs.readdirSync(WORKSPACE).filter((name) => !LEFT_OUT.includes(name));
  execFileSync('cp', ['-R', ...copied, workspace], { cwd: WORKSPACE });
  fs.mkdirSync(path.join(workspace, 'node_modules'));
  const time = `@${epoch} +0000`;
  const env = {
    PATH: process.env.PATH,
    ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time },
  };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, env, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=Test', '-c', 'user.email=test@bank.example', 'commit', '--quiet', '--message', 'release');
  return { revision: git('rev-parse', 'HEAD') };
}

/** With the packages of this checkout at the path of the other, for what it runs alone. */
const WITH_PACKAGES = 'mount --bind "$1" node_modules && shift && umask 077 && exec "$@"';

/** Makes a release there by the command, as somebody with other settings would; the folder of the release. Needs root. */
export function releaseElsewhere(workspace: string, version: string, args: readonly string[]): string {
  const packages = fs.realpathSync(path.join(WORKSPACE, 'node_modules'));
  const command = [process.execPath, 'tools/run.mjs', 'tools/publish/release.ts', version, ...args];
  const preload = `data:text/javascript,${encodeURIComponent(OTHER_MACHINE)}`;
  execFileSync('unshare', ['--mount', 'sh', '-ec', WITH_PACKAGES, 'sh', packages, ...command], {
    cwd: workspace,
    env: {
      ...{ PATH: process.env.PATH, HOME: workspace, TZ: 'Pacific/Auckland', LANG: 'tr_TR.UTF-8', LC_ALL: 'C' },
      NODE_OPTIONS: `--import=${preload}`,
    },
    stdio: 'pipe',
  });
  return path.join(workspace, 'dist/release', version);
}
