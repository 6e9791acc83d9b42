/**
 * npm run build: every app into dist/apps/<app>/main.js, with all that it needs beside it. What is up to date is left alone;
 * --force builds all. A folder is replaced as a whole, so nobody ever starts half a bundle.
 */
import fs from 'node:fs';
import path from 'node:path';
import { bundle } from '@constancia/bundling';
import { carriedPackages, extraEntries, layBeside } from './extras.mjs';
import { PAGES, TOOLS, WORKSPACE, outdated, stamps } from './sources.mjs';

/** Megabytes of JavaScript (maps apart) that a bundle may have: a deployment copies it, a cold start parses it. */
const LIMIT_MB = 10;

/** What came of a build, in words for the terminal. */
async function buildBundle(folder, staging) {
  const app = folder.startsWith('apps/') ? folder.slice('apps/'.length) : null;
  const entry = app === null ? TOOLS[folder] : `apps/${app}/src/main.ts`;
  const children = app === null ? {} : extraEntries(app);
  const external = app === null ? [] : carriedPackages(app);
  const main = await bundle({
    entries: { main: path.join(WORKSPACE, entry) },
    outDir: staging,
    external,
    lean: true,
    // For want of room. It runs with --enable-source-maps everywhere: what Node prints of it is the source, not a line of the bundle.
    compact: app === 'platform',
  });
  // A child prints nothing: no line of it is ever read.
  const others =
    Object.keys(children).length > 0
      ? await bundle({
          entries: children,
          outDir: staging,
          external,
          lean: true,
          compact: true,
        })
      : { bytes: 0 };
  const bytes = main.bytes + others.bytes;
  if (bytes > LIMIT_MB * 1e6) throw new Error(`${folder} has ${(bytes / 1e6).toFixed(1)} MB, more than ${LIMIT_MB}`);
  if (app !== null) layBeside(app, staging);
  // Node reads the nearest package.json to know that .js means a module; an empty folder has none.
  fs.writeFileSync(path.join(staging, 'package.json'), `${JSON.stringify({ type: 'module' })}\n`);
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

async function buildPage(folder, staging) {
  const { buildPages } = await import('./page.mjs');
  const { firstScriptKb } = await buildPages(folder, staging);
  const sizes = Object.entries(firstScriptKb).map(([page, kilobytes]) => `${page} ${kilobytes.toFixed(0)} KB`);
  return `first script gzipped: ${sizes.join(', ')}`;
}

async function build(folder, stamp) {
  const started = performance.now();
  const target = path.join(WORKSPACE, 'dist', folder);
  const staging = path.join(WORKSPACE, 'dist/.staging', `${folder.replaceAll('/', '-')}-${process.pid}`);
  fs.rmSync(staging, { recursive: true, force: true });
  try {
    const result = folder in PAGES ? await buildPage(folder, staging) : await buildBundle(folder, staging);
    fs.writeFileSync(path.join(staging, '.stamp'), stamp);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(staging, target);
    console.log(`dist/${folder}: ${result} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

/** Lets one build run at a time; a lock whose holder is dead does not count. */
async function alone(work) {
  const lock = path.join(WORKSPACE, 'dist/.lock');
  fs.mkdirSync(path.dirname(lock), { recursive: true });
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!holderLives(lock) || Date.now() > deadline) fs.rmSync(lock, { force: true });
      else await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  try {
    await work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

function holderLives(lock) {
  try {
    const pid = Number(fs.readFileSync(lock, 'utf8'));
    if (pid === 0) return true; // being written right now
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** What the bundler found, without its colours and stack. */
const plain = (error) => error.message.replace(/\x1b\[[0-9;]*m/g, '');

try {
  await alone(async () => {
    const folders = process.argv.slice(2).filter((argument) => argument !== '--force');
    const all = process.argv.includes('--force') ? [...stamps()] : outdated();
    const wanted = all.filter(([folder]) => folders.length === 0 || folders.includes(folder));
    for (const [folder, stamp] of wanted) await build(folder, stamp);
    if (wanted.length === 0) console.log('Every bundle is up to date.');
  });
} catch (error) {
  console.error(plain(error));
  process.exitCode = 1;
}
