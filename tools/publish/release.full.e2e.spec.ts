import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { APPS, type AppName } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkConfig, type CheckedImage, checkMigration, runOnce } from '../image-check/check-app.ts';
import { checkTogether } from '../image-check/check-together.ts';
import { composeServices, type ComposeServices } from '../image-check/compose-services.ts';
import { openReceiver } from '../local/webhook-receiver.mjs';
import { historyHas } from '../release/history.ts';
import { bundlesOf, previousRelease } from '../release/previous-release.ts';
import { productionBom } from '../security/production-bom.ts';
import { sectionOf } from './changelog.ts';
import { checkoutElsewhere, releaseElsewhere } from './elsewhere.fixture.ts';
import { leaveData, type LeftData, leftDataWorks } from './left-data.fixture.ts';
import { buildFiles, pythonWithHatchling } from './release-files.ts';
import { writeRelease } from './release-folder.ts';
import { smallBase, unpackedImage } from './unpacked-release.fixture.ts';

const read = (file: string) => fs.readFileSync(path.join(WORKSPACE, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const EPOCH = 1_790_000_000;
const MIGRATED = ['platform', 'compliance', 'signing'] as const;
const { commit } = previousRelease();

/** Two builds, a dozen processes: minutes on a machine that does other things too. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const canRun = process.getuid?.() === 0 && pythonWithHatchling() !== undefined;

describe.skipIf(!canRun)('a release (skipped without root or hatchling)', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'release-'));
  const release = path.join(folder, version);
  const elsewhere = path.join(folder, 'another/place/of a checkout');
  const { privateKey: key } = generateKeyPairSync('ed25519');
  let base: string;

  beforeAll(async () => {
    execFileSync(process.execPath, ['tools/build/build.mjs'], { cwd: WORKSPACE, stdio: 'pipe' });
    base = smallBase(folder, EPOCH);
    const { revision } = checkoutElsewhere(elsewhere, EPOCH);
    const changes = sectionOf(read('CHANGELOG.md'), version);
    const made = { version, revision, epoch: EPOCH, changes, workspace: WORKSPACE, base, key };
    await writeRelease({ ...made, files: await buildFiles(version), bom: await productionBom() }, release);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('is the same to the byte when it is made in another place, on another day, with other settings', () => {
    const keyFile = path.join(folder, 'release.pem');
    fs.writeFileSync(keyFile, key.export({ type: 'pkcs8', format: 'pem' }));
    const other = releaseElsewhere(elsewhere, version, ['--key', keyFile, '--base', base]);
    // First what names the files of a bundle that differ: in a release they are in images.
    const bundles = ['dist/apps', path.join(elsewhere, 'dist/apps')];
    expect(spawnSync('diff', ['--recursive', '--brief', ...bundles], { cwd: WORKSPACE, encoding: 'utf8' }).stdout).toBe(
      '',
    );
    for (const name of ['SHA256SUMS', 'SHA256SUMS.sig'])
      expect(fs.readFileSync(path.join(other, name), 'latin1')).toBe(
        fs.readFileSync(path.join(release, name), 'latin1'),
      );
    expect(spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: other }).status).toBe(0);
  });

  describe('of which nothing is known but its folder', () => {
    const images = new Map<AppName, CheckedImage>();
    const imageOf = (app: AppName) => images.get(app) as CheckedImage;
    let around: ComposeServices;
    let receiver: Awaited<ReturnType<typeof openReceiver>>;
    let left: LeftData | undefined;

    beforeAll(async () => {
      receiver = await openReceiver();
      around = await composeServices(release, { version, apps: APPS, folder });
      for (const app of APPS) {
        const { tags, ...image } = unpackedImage(release, app, version, folder);
        expect(tags).toEqual([around.service(app).image]);
        images.set(app, image);
        for (const service of [app, ...(app === 'platform' ? ['database'] : [])])
          for (const [to, from] of around.service(service).volumes)
            fs.cpSync(from, path.join(image.root, to), { recursive: true });
      }
    });
    afterAll(async () => {
      receiver?.close();
      await around?.close();
    });

    /** What the compose file does before anything else. */
    const makeDatabase = () => {
      const { entrypoint = [], environment } = around.service('database');
      return runOnce(imageOf('platform'), entrypoint, environment);
    };

    it('has images that say how they are run', () => {
      for (const [app, image] of images) checkConfig(app, image);
    });

    it('makes roles and schemas with the program that it brings', async () => {
      expect(Object.keys(JSON.parse(await makeDatabase()) as object)).toContain('signing_app');
    });

    it('follows the previous release, in which a tenant has documents, rules and work that waits', async () => {
      if (!historyHas(commit)) return console.warn(`The history here has no ${commit}: the schemas are new.`);
      const before = bundlesOf(commit);
      for (const app of MIGRATED)
        execFileSync(process.execPath, [path.join(before, app, 'main.js'), 'migrate'], {
          env: { PATH: process.env.PATH, ...around.migration(app) },
          stdio: 'pipe',
        });
      left = await leaveData(before, around, { folder, receiver });
    });

    it('brings the schemas of the previous release up to date', async () => {
      await makeDatabase();
      for (const app of MIGRATED) await checkMigration(app, imageOf(app), around.migration(app));
    });

    it('does the main job with its six images, as restricted pods run them, and goes on with what the previous release left', async () => {
      await checkTogether(images, around, async (stack) => {
        if (left === undefined) return;
        await leftDataWorks(stack, left, receiver);
        for (const app of ['compliance', 'signing'] as const)
          await runOnce(
            imageOf(app),
            [...imageOf(app).config.entrypoint, 'migrate', '--finish'],
            around.migration(app),
          );
        await leftDataWorks(stack, left, receiver);
      });
    });
  });
});
