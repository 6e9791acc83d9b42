import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserInstalled } from '@constancia/testing/browser';
import { photographed } from '../../../libs/document-reading/src/rendered.fixture.ts';
import { type CaptureServer, startCaptureServer } from '../dev/capture-server.ts';
import { drawnCards } from '../src/guidance/camera-frame.fixture.ts';
import { FakeCamera } from './fake-camera.ts';
import { behaved, openPerson, type Person, type PersonOptions, portrait } from './person.ts';

const SLOW = { timeout: 30_000, interval: 50 };

describe.skipIf(!browserInstalled('A journey over the capture page'))('a journey over the capture page', () => {
  let server: CaptureServer;
  let camera: FakeCamera;
  let front: Buffer;
  let far: Buffer;
  let face: Buffer;

  beforeAll(async () => {
    [server, camera] = await Promise.all([startCaptureServer(), FakeCamera.open()]);
    const [card] = (await drawnCards()) as [Buffer];
    [front, far, face] = await Promise.all([
      photographed(card, { width: 1280 }),
      photographed(card, { width: 1280, fill: 0.4 }),
      portrait(),
    ]);
  });
  afterAll(async () => {
    await camera?.close();
    await server?.close();
  });

  const person = (options?: PersonOptions): Promise<Person> => openPerson(camera, server, options);

  it.each([
    ['phone', 'es-CO'],
    ['desktop', 'en'],
  ] as const)(
    'on a %s in %s: consent, both sides and the face, each picture taken by itself, and nothing of it left in the browser',
    async (viewport, locale) => {
      await camera.show(front, 'card');
      const one = await person({ viewport, locale, pauseMs: 1_500 });
      const { page, text, session, press } = one;
      await press(text.consent.submit);
      await page.getByText(text.consent.missing).waitFor();
      await one.watched.screen('journey-1-consent');
      await page.getByLabel(text.consent.accept).check({ force: true });
      await press(text.consent.submit);
      await expect.poll(() => session.pictures.length, SLOW).toBe(2);
      await camera.show(face, 'face'); // while the page waits for the answer to its second picture
      await one.heading(text.selfie.title);
      await one.watched.screen('journey-2-selfie');
      await expect.poll(() => session.pictures.length, SLOW).toBeGreaterThan(2);
      await one.heading(text.result.verified.title);
      await one.watched.screen('journey-3-verified');
      expect(session.pictures.map(({ kind }) => kind)).toEqual(['doc_front', 'doc_back', 'selfie', ...Array<string>(4).fill('frame')]); // prettier-ignore
      expect(session.advances.map(({ step }) => step)).toEqual(['consent', 'document_upload', 'face_match', 'sarlaft']);
      const left = await page.evaluate<string>(
        `Promise.all([caches.keys(), indexedDB.databases()]).then((all) => JSON.stringify([all, localStorage.length, sessionStorage.length]))`,
      );
      expect(JSON.parse(left)).toEqual([[[], []], 0, 0]);
      expect(await page.locator('video, canvas, img').count()).toBe(0);
      await behaved(one);
    },
  );

  it('says why a picture is asked for again, and how many attempts are left', async () => {
    await camera.show(front, 'card');
    const one = await person({
      step: 'document_upload',
      sides: ['front'],
      retries: ['wrong_side', 'unreadable'],
      pauseMs: 200,
    });
    const { page, text, session } = one;
    await page.getByText(`${text.retry.wrong_side} ${text.attemptsLeft(2)}`).waitFor(SLOW);
    await one.watched.screen('journey-4-again');
    await page.getByText(`${text.retry.unreadable} ${text.attemptsLeft(1)}`).waitFor(SLOW);
    await one.heading(text.selfie.title);
    expect(session.pictures).toHaveLength(3);
    await behaved(one);
  });

  it('goes on with a phone by a QR code, and back', async () => {
    await camera.show(far, 'card'); // no picture is taken by itself, however long a screenshot takes
    const desktop = await person({ step: 'consent', viewport: 'desktop', camera: 'denied' });
    const { text, session } = desktop;
    await desktop.page.getByLabel(text.consent.accept).check({ force: true });
    await desktop.press(text.consent.submit);
    await desktop.page.getByText(text.camera.faults.denied).waitFor();
    await desktop.press(text.handover.offer);
    await desktop.page.getByRole('img', { name: text.handover.picture }).waitFor();
    await desktop.watched.screen('journey-5-code');
    const token = session.handovers[0] as string;
    const phone = await person({ handedOver: { link: `${server.url}/capture#${token}`, token, session } });
    await phone.heading(text.document.front);
    await phone.press(text.camera.shutter);
    await desktop.page.getByText(text.handover.elsewhere).waitFor(SLOW);
    await desktop.watched.screen('journey-6-elsewhere');
    await expect.poll(() => session.pictures.length, SLOW).toBe(1);
    await desktop.press(text.handover.back);
    await desktop.heading(text.document.front);
    await phone.press(text.camera.shutter);
    await phone.page.getByText(text.handover.elsewhere).waitFor(SLOW);
    await phone.page.goto('about:blank');
    await phone.page.goto(phone.link); // it worked once
    await phone.heading(text.unknown.title);
    await behaved(desktop);
    await behaved(phone);
  });

  it.each(['consent', 'document_upload', 'face_match', 'sarlaft'] as const)(
    'survives a lost connection, a reload and Back at %s, and takes the step once',
    async (step) => {
      await (step === 'face_match' ? camera.show(face, 'face') : camera.show(front, 'card'));
      const one = await person({ step, sides: ['front'], pauseMs: 50 });
      const { page, text, session, press } = one;
      session.mode = 'down';
      await page.reload();
      await page.getByText(text.unreachable.lead).waitFor(SLOW);
      session.mode = 'well';
      await press(text.again);
      if (step === 'consent') {
        await page.getByLabel(text.consent.accept).check({ force: true });
        session.mode = 'down';
        await press(text.consent.submit);
        await page.getByText(text.lost).waitFor(SLOW);
        session.mode = 'well';
        await press(text.again);
      }
      if (step === 'document_upload') {
        await page.locator('.said[data-advice="hold"]').waitFor(SLOW);
        session.mode = 'down';
        await page.getByText(text.lost).waitFor(SLOW);
        session.mode = 'well';
        await press(text.again);
      }
      await expect.poll(() => session.advances.length, SLOW).toBeGreaterThan(0);
      await page.reload();
      await page.goBack().catch(() => undefined);
      await page.goto(one.link);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(session.advances.filter((each) => each.step === step)).toHaveLength(1);
      await behaved(one);
    },
  );
});
