import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserInstalled } from '@constancia/testing/browser';
import { type Photography, photographed } from '../../../libs/document-reading/src/rendered.fixture.ts';
import { type CaptureServer, startCaptureServer } from '../dev/capture-server.ts';
import { drawnCards } from '../src/guidance/camera-frame.fixture.ts';
import { FakeCamera } from './fake-camera.ts';
import { behaved, openPerson, type Person, type PersonOptions, portrait } from './person.ts';

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

  it.each([
    ['glare', 'a camera', { glare: { x: 0.45, y: 0.5, radius: 0.24, strength: 1 } }],
    ['far', 'a browser that does not give the frames of its camera', { fill: 0.4 }],
    ['tilted', 'a camera with fewer pixels than are looked at', { skew: 21 }],
    ['blurred', 'a camera', { blur: 6 }],
  ] as const)(
    'says %s of a document before %s, and takes no picture by itself, until the shutter is pressed',
    async (advice, device, shot) => {
      const [card] = (await drawnCards()) as [Buffer];
      await camera.show(await photo(card, shot), 'card', device.includes('fewer') ? 0.4 : 1);
      const one = await person({ step: 'document_upload', givesFrames: !device.startsWith('a browser') });
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
