import fs from 'node:fs';
import type { Page } from 'playwright-core';
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
  let back: Buffer;
  let face: Buffer;

  beforeAll(async () => {
    [server, camera] = await Promise.all([startCaptureServer(), FakeCamera.open()]);
    const [frontCard, backCard] = (await drawnCards()) as [Buffer, Buffer];
    [front, back, face] = await Promise.all([photo(frontCard), photo(backCard), portrait()]);
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
    ['phone', 'es-CO'],
    ['desktop', 'en'],
  ] as const)('leads from the link to the result on a %s, in %s', async (viewport, locale) => {
    const one = await person({ viewport, locale, fileAllowed: true });
    const { page, text, session, watched, press, heading } = one;
    await heading(text.consent.title);
    await watched.screen('capture-01-consent');
    await press(text.consent.submit);
    await page.getByText(text.consent.missing).waitFor();
    await page.getByRole('checkbox').check();
    await camera.show(front, 'card');
    await press(text.consent.submit);
    await heading(text.document.front);
    await page.locator('polygon.found').waitFor();
    await watched.screen('capture-02-front'); // takes its time; the picture is taken meanwhile
    await camera.show(back, 'card');
    await heading(text.document.back);
    await expect.poll(() => session.step).toBe('face_match');
    await camera.show(face, 'face');
    await page.reload(); // opens the camera with the face in it
    await heading(text.selfie.title);
    await expect.poll(() => session.advances.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
    await heading(text.result.verified.title);
    await watched.screen('capture-05-verified');
    const { stored, history, caches } = await traces(page);
    expect({ stored, caches }).toEqual({ stored: [], caches: [] });
    expect(history).not.toContain('asset');
    expect(await page.title()).toBe(text.page.name);
    expect(session.pictures.map(({ kind }) => kind)).toEqual(['doc_front', 'doc_back', 'selfie', ...Array<string>(4).fill('frame')]); // prettier-ignore
    const { width = 0, format } = await sharp(session.pictures[0]?.bytes).metadata();
    expect({ format, wide: width >= 1000 }).toEqual({ format: 'jpeg', wide: true });
    expect(session.advances[2]?.input).toMatchObject({ nonce: 'nonce-1', frames: expect.any(Array) as unknown });
    await behaved(one);
  });

  it.each([
    ['blurred', { blur: 6 }],
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

  it('says in words what the server could not use, and how many attempts are left', async () => {
    await camera.show(face, 'face');
    const reasons = ['no_face', 'two_faces', 'too_dark'];
    const one = await person({ step: 'face_match', retries: [...reasons] });
    for (const reason of reasons) await one.page.getByText(one.text.retry[reason] ?? '').waitFor();
    await one.heading(one.text.result.verified.title);
    await behaved(one);
    const other = await person({ step: 'document_upload', sides: ['front'], retries: ['wrong_side'], locale: 'en' });
    await camera.show(front, 'card');
    await other.page.reload();
    await other.page.getByText(other.text.retry.wrong_side ?? '').waitFor();
    await other.page.getByText(other.text.attemptsLeft(2)).waitFor();
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

  it('hands over to a phone by QR code, follows it, and can take the session back', async () => {
    await camera.show(await photo((await drawnCards())[0] as Buffer, { fill: 0.3 }), 'card');
    const desktop = await person({ step: 'document_upload', viewport: 'desktop' });
    const { page, text, session, press } = desktop;
    await press(text.handover.offer);
    await page.getByRole('img', { name: text.handover.picture }).waitFor();
    await desktop.watched.screen('capture-07-handover');
    const phone = await desktop.watched.context.newPage();
    const [link = ''] = session.handovers;
    await phone.goto(`${server.url}/capture#${link}`);
    await phone.getByRole('heading', { name: text.document.front }).waitFor();
    expect(phone.url()).not.toContain(link); // used up: the phone has a token of its own
    await desktop.heading(text.handover.title);
    await desktop.watched.screen('capture-08-elsewhere');
    await press(text.handover.back);
    await desktop.heading(text.document.front);
    expect(session.activeToken).toBe(desktop.token);
    await behaved(desktop);
  });

  it.each(['consent', 'document_upload', 'face_match', 'sarlaft'] as const)(
    'survives a lost connection, a reload and Back at %s',
    async (step) => {
      await camera.show(step === 'face_match' ? face : front, step === 'face_match' ? 'face' : 'card');
      const one = await person({ step, sides: ['front'], pauseMs: 50 });
      const { page, text, session, press } = one;
      session.mode = 'down';
      if (step === 'consent') {
        await page.getByRole('checkbox').check();
        await press(text.consent.submit);
      }
      if (step === 'sarlaft') await page.reload();
      await page.getByText(step === 'sarlaft' ? text.unreachable.lead : text.lost).waitFor({ timeout: 20_000 });
      if (step === 'consent') await one.watched.screen('capture-09-lost');
      session.mode = 'well';
      await press(text.again);
      await expect.poll(() => session.advances.length, { timeout: 20_000 }).toBeGreaterThan(0);
      expect(session.advances.filter((each) => each.step === step)).toHaveLength(1);
      await page.reload();
      await page.goBack().catch(() => undefined);
      await page.goto(one.link);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await behaved(one);
    },
  );

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

  it('looks at ten frames a second on a processor slowed four times, and holds nobody up for 100 ms', async () => {
    await camera.show(await photo((await drawnCards())[0] as Buffer, { fill: 0.4 }), 'card');
    const one = await person({ step: 'document_upload' });
    const { page } = one;
    await page.locator('polygon.found').waitFor();
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await watchFrames(page);
    // On a machine that does other things as well, in the best of some seconds.
    const best = async () => page.evaluate<{ frames: number; longTasks: number }>('bestSecond()');
    await expect
      .poll(async () => (await best()).frames, { timeout: 30_000, interval: 1_000 })
      .toBeGreaterThanOrEqual(10);
    console.info(`Guidance, processor slowed 4 times: ${JSON.stringify(await best())} in the best second.`);
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

/** Everything that a browser could keep. */
async function traces(page: Page): Promise<{ stored: string[]; caches: string[]; history: string }> {
  return page.evaluate(async () => ({
    stored: [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
      ...(await indexedDB.databases()).map(({ name = '' }) => name),
    ],
    caches: await caches.keys(),
    history: JSON.stringify(history.state),
  }));
}

/** Frames that the page looks at change what it draws of the outline or the bar; they are counted where they come back from the worker. */
async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(`{
    const frames = []; const tasks = [];
    const drawn = CanvasRenderingContext2D.prototype.getImageData;
    CanvasRenderingContext2D.prototype.getImageData = function (...part) { frames.push(performance.now()); return drawn.apply(this, part); };
    new PerformanceObserver((list) => tasks.push(...list.getEntries().filter(({ duration }) => duration > 100).map(({ startTime }) => startTime))).observe({ entryTypes: ['longtask'] });
    window.bestSecond = () => {
      const within = (times, from) => times.filter((time) => time >= from && time < from + 1000).length;
      const seconds = frames.map((from) => ({ frames: within(frames, from), longTasks: within(tasks, from) })).filter(({ longTasks }) => longTasks === 0);
      return seconds.reduce((best, second) => (second.frames > best.frames ? second : best), { frames: 0, longTasks: -1 });
    };
  }`);
}
