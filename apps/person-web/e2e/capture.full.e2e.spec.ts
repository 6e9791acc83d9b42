import fs from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserInstalled } from '@constancia/testing/browser';
import { sharedPath } from '@constancia/testing/shared-folder';
import { type Photography, photographed } from '../../../libs/document-reading/src/rendered.fixture.ts';
import { type CaptureServer, startCaptureServer } from '../dev/capture-server.ts';
import { drawnCards } from '../src/guidance/camera-frame.fixture.ts';
import { FakeCamera } from './fake-camera.ts';
import { openPerson, type Person, type PersonOptions, unexpected } from './person.ts';

describe.skipIf(!browserInstalled('The capture page'))('the capture page', () => {
  let server: CaptureServer;
  let camera: FakeCamera;
  let front: Buffer;

  let face: Buffer;

  beforeAll(async () => {
    [server, camera] = await Promise.all([startCaptureServer(), FakeCamera.open()]);
    const [frontCard] = (await drawnCards()) as [Buffer];
    [front, face] = await Promise.all([photo(frontCard), portrait()]);
  });
  afterAll(async () => {
    await camera?.close();
    await server?.close();
  });

  const person = (options?: PersonOptions): Promise<Person> => openPerson(camera, server, options);

  async function behaved(one: Person): Promise<void> {
    await one.watched.close();
    expect(unexpected(one)).toEqual([]);
  }

  it.each([
    ['glare', { glare: { x: 0.45, y: 0.5, radius: 0.24, strength: 1 } }],
    ['far', { fill: 0.4 }],
    ['tilted', { skew: 21 }],
  ] as const)(
    'says that a document is %s and takes no picture by itself, until the shutter is pressed',
    async (advice, shot) => {
      const [card] = (await drawnCards()) as [Buffer];
      await camera.show(await photo(card, shot), 'card');
      const one = await person({ step: 'document_upload' });
      const { page, text, session, press } = one;
      await page.locator(`.said[data-advice="${advice}"]`, { hasText: text.camera.card[advice] }).waitFor();
      await page.getByRole('status').filter({ hasText: text.camera.card[advice] }).waitFor({ state: 'attached' }); // read aloud
      if (advice === 'glare') await one.watched.screen('capture-03-glare');
      expect(session.pictures).toEqual([]);
      await press(text.camera.shutter);
      await expect.poll(() => session.pictures.length).toBe(1);
      await behaved(one);
    },
  );

  it('asks for light in the dark, and for a face where there is none', async () => {
    const dark = await sharp(front).linear(0.08, 0).jpeg().toBuffer();
    await camera.show(dark, 'card');
    const one = await person({ step: 'document_upload' });
    await one.page.getByText(one.text.camera.card.dark).first().waitFor();
    await behaved(one);
    const wall = await sharp({ create: { width: 720, height: 960, channels: 3, background: '#b9b4aa' } }).png().toBuffer(); // prettier-ignore
    await camera.show(wall, 'face');
    const other = await person({ step: 'face_match', viewport: 'desktop', locale: 'en' });
    await other.page.getByText(other.text.camera.face.empty).first().waitFor();
    await other.watched.screen('capture-04-no-face');
    expect(other.session.pictures).toEqual([]);
    await behaved(other);
  });

  it('takes the poses of an active challenge one after the other', async () => {
    await camera.show(face, 'face');
    const one = await person({ step: 'face_match', livenessMode: 'active' });
    const { page, text, session } = one;
    await page
      .locator('.said', { hasText: text.selfie.pose(2, 3, text.selfie.poses.left ?? '') })
      .waitFor({ timeout: 20_000 });
    await expect.poll(() => session.advances.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(session.advances[0]?.input).toMatchObject({ challenge_id: 'chl_1', liveness_mode: 'active' });
    expect(session.advances[0]?.input.frame_uris).toHaveLength(3);
    await behaved(one);
  });

  it('works without a camera: with a file by the keyboard alone where that is allowed, and else with a phone', async () => {
    const one = await person({ step: 'document_upload', camera: 'denied', fileAllowed: true, viewport: 'desktop' });
    const { page, text, session } = one;
    await page.getByText(text.camera.faults.denied).waitFor();
    await one.watched.screen('capture-06-denied');
    const input = page.locator('input[type=file]');
    await page.keyboard.press('Tab');
    await input.focus();
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('Space');
    await (
      await chooser
    ).setFiles({ name: 'front.png', mimeType: 'image/png', buffer: await sharp(front).png().toBuffer() });
    await expect.poll(() => session.pictures.length).toBe(1);
    await behaved(one);
    const other = await person({ step: 'document_upload', camera: 'denied' });
    await other.page.getByText(other.text.camera.faults.denied).waitFor();
    expect(await other.page.locator('input[type=file]').count()).toBe(0);
    await behaved(other);
  });

  it.each(['sarlaft'] as const)('survives a lost connection, a reload and Back at %s', async (step) => {
    const one = await person({ step, sides: ['front'], pauseMs: 50 });
    const { page, text, session, press } = one;
    session.mode = 'down';
    await page.reload();
    await page.getByText(text.unreachable.lead).waitFor({ timeout: 20_000 });
    session.mode = 'well';
    await press(text.again);
    await expect.poll(() => session.advances.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(session.advances.filter((each) => each.step === step)).toHaveLength(1);
    await page.reload();
    await page.goBack().catch(() => undefined);
    await page.goto(one.link);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await behaved(one);
  });

  it.each([
    ['failed', 'not_verified'],
    ['manual_review', 'in_review'],
  ] as const)('ends %s in words that say no reason', async (ending, result) => {
    const one = await person({ step: 'sarlaft', ending });
    await one.heading(one.text.waiting.title);
    await one.heading(one.text.result[result].title);
    await one.watched.screen(`capture-10-${result}`);
    await behaved(one);
  });

  it('says of a link that leads nowhere only that it does', async () => {
    const one = await person();
    one.session.mode = 'gone';
    await one.page.reload();
    await one.heading(one.text.unknown.title);
    await one.watched.screen('capture-11-unknown');
    await behaved(one);
  });
});

const photo = (card: Buffer, shot: Photography = {}): Promise<Buffer> => photographed(card, { width: 1280, ...shot });

/** A photograph of ../shared, or, without that folder, a drawing: the server of these tests looks at neither. */
async function portrait(): Promise<Buffer> {
  const shared = sharedPath('faces', 'img1.jpg');
  if (shared !== undefined) return fs.readFileSync(shared);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="960"><rect width="720" height="960" fill="#9aa4ae"/><ellipse cx="360" cy="430" rx="190" ry="260" fill="#c79a7b"/><circle cx="290" cy="380" r="22"/><circle cx="430" cy="380" r="22"/><path d="M290 560q70 50 140 0" stroke="#6b2c2c" stroke-width="14" fill="none"/></svg>`;
  return sharp(Buffer.from(drawing)).png().toBuffer();
}
