import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectsOf } from '../deploy/kustomization.ts';
import { bundleRenderer } from './renderer.ts';

describe('the renderer that a release brings', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'renderer-'));
  const values = path.join(folder, 'pilot.yaml');
  const render = (...args: string[]) =>
    spawnSync(process.execPath, ['render/render.js', ...args], { cwd: folder, encoding: 'utf8' });

  beforeAll(async () => {
    await bundleRenderer(path.join(folder, 'render'));
    fs.writeFileSync(
      values,
      fs.readFileSync('deploy/values/sandbox.yaml', 'utf8').replace('name: sandbox', 'name: pilot'),
    );
    fs.writeFileSync(path.join(folder, 'digests.json'), JSON.stringify({ signing: `sha256:${'5'.repeat(64)}` }));
  }, 60_000);
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('writes the manifests of an environment without the repository, with the digests of the images', () => {
    const { status, stderr } = render('--values', values, '--out', 'out', '--digests', 'digests.json');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const objects = objectsOf(path.join(folder, 'out/deploy/signing/overlays/pilot'));
    expect(JSON.stringify(objects)).toContain(
      `registry.constancia.example/constancia/signing@sha256:${'5'.repeat(64)}`,
    );
  });

  it('says what is wrong with values', () => {
    fs.writeFileSync(path.join(folder, 'wrong.yaml'), 'name: pilot\n');
    expect(render('--values', 'wrong.yaml', '--out', 'wrong').stderr).toContain('hosts is missing');
  });
});
