import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestStack } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstPair, hasFaces } from '../../libs/face-matching/src/shared-faces.fixture.ts';
import { type Integrator, signUp, startDeployment } from './deployment.fixture.ts';
import { cedulaOf, type Holder, readyForOnboarding } from './identity.fixture.ts';

const GUIDE = path.resolve(import.meta.dirname, '../../docs/guides/identity.md');
const OWN_PHOTOS = '## With your own two photos';
const HOLDER: Holder = { documentNumber: '1090246817', surname1: 'FAJARDO', surname2: 'YEPES', givenName1: 'PAULA', givenName2: 'SOFÍA', birthDate: '1990-07-21' }; // prettier-ignore

const missing = ['bash', 'curl', 'file'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (missing.length > 0) console.warn(`skipped: docs/guides/identity.md needs ${missing.join(', ')}`);
if (!hasFaces) console.warn('skipped: the photos of ../shared/faces are not here');

describe.skipIf(missing.length > 0 || !hasFaces)('docs/guides/identity.md', () => {
  let stack: TestStack;
  let integrator: Integrator;
  /** Where the reader stands: `.local/stack.json` beneath, photos in the home folder. */
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'identity-guide-'));

  beforeAll(async () => {
    stack = await startDeployment({ apps: ['platform', 'compliance', 'biometrics-worker'] });
    integrator = await signUp(stack);
    const [portrait, selfie] = firstPair({ same: true });
    const { front, back } = await cedulaOf(HOLDER, portrait);
    const files = {
      '.local/stack.json': JSON.stringify({ base_url: stack.baseUrl, tenant: { api_key: integrator.apiKey } }),
      'photos/front.jpg': front,
      'photos/back.jpg': back,
      'photos/selfie.jpg': selfie,
    };
    for (const [name, content] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      fs.writeFileSync(path.join(folder, name), content);
    }
  });
  afterAll(async () => {
    await stack?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Runs commands as a reader does, whose home folder has the photos; what they printed, once all have succeeded. */
  async function printedBy(commands: string): Promise<string> {
    const child = spawn('bash', ['-e', '-c', commands], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const status = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
    expect(status, output).toBe(0);
    return output;
  }

  function inThisOrder(output: string, answers: readonly string[]): void {
    let at = 0;
    for (const answer of answers) {
      const found = output.indexOf(answer, at);
      expect(found, `${answer} in\n${output}`).toBeGreaterThanOrEqual(at);
      at = found + answer.length;
    }
  }

  const guide = fs.readFileSync(GUIDE, 'utf8');
  const blocks = (text: string) => [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block as string);
  const tour = blocks(guide.slice(0, guide.indexOf(OWN_PHOTOS)));
  const ownPhotos = blocks(guide.slice(guide.indexOf(OWN_PHOTOS)));

  it('says commands that run as they stand there, up to the photos that only its reader has', async () => {
    inThisOrder(await printedBy(tour.join('\n')), [
      '"status":"published"',
      'document_upload\nface_match\nsarlaft\ncompleted',
      'document_upload\n',
      '"reason":"blurred"',
      'face_match',
      'manual_review\ncompleted\ntrue',
    ]);
  });

  it('says commands that verify the reader by photos, and erase them', async () => {
    await readyForOnboarding(integrator);
    const number = 'NUMBER=your-number';
    const commands = [...tour.slice(0, 2), ...ownPhotos].join('\n');
    expect(commands).toContain(number);
    inThisOrder(await printedBy(commands.replace(number, `NUMBER=${HOLDER.documentNumber}`)), [
      'document_upload\n',
      '"current_step":"face_match"',
      '"current_step":"sarlaft"',
      '"status":"completed"',
      '"receipt_id":',
    ]);
  });
});
