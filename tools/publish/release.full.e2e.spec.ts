import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { APPS, type AppName, startCluster } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkConfig, type CheckedImage, checkMigration } from '../image-check/check-app.ts';
import { checkTogether } from '../image-check/check-together.ts';
import { type DeploymentServices, deploymentServices } from '../image-check/deployment-services.ts';
import { historyHas } from '../release/history.ts';
import { bundlesOf, previousRelease } from '../release/previous-release.ts';
import { writeRelease } from './release-folder.ts';
import { smallBase, unpackedImage } from './unpacked-release.fixture.ts';

const VERSION = '1.2.0';
const EPOCH = 1_790_000_000;
const MIGRATED = ['platform', 'compliance', 'signing'] as const;
const isRoot = process.getuid?.() === 0;
const { commit } = previousRelease();

describe.skipIf(!isRoot)('a release, of which nothing is known but its folder (skipped without root)', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'release-'));
  const release = path.join(folder, VERSION);
  const images = new Map<AppName, CheckedImage>();
  let around: DeploymentServices;

  beforeAll(async () => {
    const { privateKey: key } = generateKeyPairSync('ed25519');
    const files = { database: path.join(WORKSPACE, 'dist/tools/local/bootstrap') };
    const made = { version: VERSION, revision: 'abc', epoch: EPOCH, changes: '- One.', workspace: WORKSPACE };
    await writeRelease({ ...made, files, base: smallBase(folder, EPOCH), bom: '{}\n', key }, release);
    for (const app of APPS) images.set(app, unpackedImage(release, app, VERSION, folder));
    around = await deploymentServices(APPS);
  }, 300_000);
  afterAll(async () => {
    await around?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('makes roles and schemas with the program that it brings', async () => {
    const cluster = await startCluster();
    try {
      const answer = execFileSync(process.execPath, ['database/main.js'], {
        cwd: release,
        env: { PATH: process.env.PATH, ADMIN_DATABASE_URL: cluster.adminUrl, ROLES_SECRET: 'only for this test' },
        encoding: 'utf8',
      });
      expect(Object.keys(JSON.parse(answer) as object)).toContain('signing_app');
    } finally {
      await cluster.remove();
    }
  });

  it('has images that say how they are run', () => {
    for (const [app, image] of images) checkConfig(app, image);
  });

  it('brings the schemas of the previous release up to date', { timeout: 300_000 }, async () => {
    if (historyHas(commit)) {
      const before = bundlesOf(commit);
      for (const app of MIGRATED)
        execFileSync(process.execPath, [path.join(before, app, 'main.js'), 'migrate'], {
          env: { PATH: process.env.PATH, ...around.migration(app) },
          stdio: 'pipe',
        });
    } else console.warn(`The history here has no ${commit}: the schemas are new.`);
    for (const app of MIGRATED) await checkMigration(app, images.get(app) as CheckedImage, around.migration(app));
  });

  it('does the main job with its six images, as restricted pods run them', { timeout: 300_000 }, async () => {
    await checkTogether(images, around);
  });
});
