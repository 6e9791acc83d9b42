import type { TestStack } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import { WatchedPage } from '@constancia/testing/watched-page';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeCamera } from '../../apps/person-web/e2e/fake-camera.ts';
import { SPANISH } from '../../apps/person-web/src/text/spanish.ts';
import { openEyes } from '../../libs/face-matching/src/open-engines.fixture.ts';
import { hasFaces, labelledPairs, photo } from '../../libs/face-matching/src/shared-faces.fixture.ts';
import { cardVideo, faceVideo, onWall, stillVideo, type Video } from './capture-scenes.fixture.ts';
import { CaptureVisit, type HostedSession, hostedSession, PATIENT_MS } from './capture-visit.fixture.ts';
import { type Integrator, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';
import { type Cedula, cedulaOf, type Holder, readyForOnboarding } from './identity.fixture.ts';
import { CapturePerson } from './signer-identity.fixture.ts';

const APPS = ['platform', 'compliance', 'biometrics-worker'] as const;
const HOLDER: Holder = { documentNumber: '1094726153', surname1: 'QUIÑONES', surname2: 'OQUENDO', givenName1: 'XIOMARA', givenName2: 'ZORAIDA', birthDate: '1988-03-14' }; // prettier-ignore
const SLOW = { timeout: PATIENT_MS, interval: 250 };
const NOTHING = { tracks: 0, bitmaps: 0, urls: 0, workers: 0, lost: 0 };

const installed = browserInstalled('The capture page over a deployment');
if (!hasFaces) console.warn('skipped: the photos of ../shared/faces are not here');

describe.skipIf(!installed || !hasFaces)('the capture page of a deployment', { timeout: 600_000 }, () => {
  let stack: TestStack;
  let camera: FakeCamera;
  let integrator: Integrator;
  let card: Cedula;
  let good: { front: Video; back: Video };
  let genuine: Video;
  let impostor: Video;

  beforeAll(async () => {
    const same = labelledPairs().find((pair) => pair.same)!;
    const other = labelledPairs().find((pair) => !pair.same && pair.one === same.one)!;
    card = await cedulaOf(HOLDER, photo(same.one));
    good = { front: await cardVideo(card.front), back: await cardVideo(card.back) };
    const eyes = await openEyes();
    genuine = await faceVideo(eyes, same.other, 'genuine, camera on a stand');
    impostor = await faceVideo(eyes, other.other, 'genuine, camera on a stand');
    camera = await FakeCamera.open();
    // A machine that runs a browser beside takes its time.
    const patience = { STEP_DEADLINE_MS: '300000', BIOMETRICS_DEADLINE_MS: '60000', STEP_WAIT_MS: '1000' };
    stack = await startDeployment({ apps: APPS, env: { ...NO_LIMITS, ...patience } });
    integrator = await signUp(stack);
    await readyForOnboarding(integrator);
  }, 600_000);
  afterAll(async () => {
    await camera?.close();
    await stack?.close();
  });

  const balance = async () => (await integrator.platform.GET('/v1/billing/balance')).data!;
  const shown = async ({ id }: HostedSession) =>
    (await integrator.platform.GET('/v1/flows/sessions/{id}', { params: { path: { id } } })).data!;

  /** A session whose consent and document are done, by the calls that the page makes. */
  async function atTheSelfie(): Promise<HostedSession> {
    const session = await hostedSession(integrator, HOLDER);
    const person = new CapturePerson(session.url);
    await person.consent();
    expect(await person.document(card)).toMatchObject({ step: 'face_match' });
    return session;
  }

  it('verifies the holder of a document by itself in one picture of each side, and keeps nothing after each step', async () => {
    const before = await balance();
    const session = await hostedSession(integrator, HOLDER);
    const visit = await CaptureVisit.open(camera, stack, session.url, [good.front, good.back, genuine]);
    await visit.consent();
    await visit.heading(SPANISH.document.front);
    await visit.heading(SPANISH.selfie.title);
    expect(visit.sent.filter((kind) => kind.startsWith('doc_'))).toEqual(['doc_front', 'doc_back']);
    // The selfie's own camera and worker, and nothing of the document's.
    const { tracks, workers, ...left } = await visit.held();
    expect({ ...left, tracks: Math.min(tracks, 1), workers: Math.min(workers, 1) }).toEqual({ ...NOTHING, tracks, workers }); // prettier-ignore
    await visit.heading(SPANISH.result.verified.title);
    expect(visit.sent).toEqual(['doc_front', 'doc_back', 'selfie', ...Array<string>(4).fill('frame')]);
    await expect.poll(() => visit.held()).toEqual(NOTHING); // a worker ends with the frame that it holds
    await visit.watched.screen('capture-deployment-verified');
    expect(await shown(session)).toMatchObject({
      status: 'completed',
      context: { face_match: { liveness: { passive: { decision: 'live', signs: [] } } } },
    });
    expect(await balance()).toEqual({ available: before.available - 80, held: 0 });
    expect(await visit.close()).toEqual([]);
  });

  it('says nothing but that it did not work to somebody else’s face', async () => {
    const session = await atTheSelfie();
    const visit = await CaptureVisit.open(camera, stack, session.url, [impostor]);
    await visit.heading(SPANISH.result.not_verified.title);
    expect(await visit.page.locator('main').innerText()).not.toMatch(/rostro|cara|persona distinta|parecid/i);
    expect(await shown(session)).toMatchObject({ status: 'failed', rejection_reason: 'other_person' });
    expect(await visit.close()).toEqual([]);
  });

  it('says that a selfie has no face, or two, and how many attempts are left; and then takes a good one', async () => {
    const session = await atTheSelfie();
    const noFace = await stillVideo(await sharp(card.back).resize(720, 960, { fit: 'cover' }).toBuffer(), 'face');
    const visit = await CaptureVisit.open(camera, stack, session.url, [noFace], 1);
    await visit.says(`${SPANISH.retry.no_face} ${SPANISH.attemptsLeft(2)}`);
    await visit.again(await stillVideo(await onWall(photo('couple.jpg')), 'face'));
    await visit.says(`${SPANISH.retry.two_faces} ${SPANISH.attemptsLeft(1)}`);
    expect((await balance()).held).toBe(0);
    await visit.again(genuine);
    await visit.heading(SPANISH.result.verified.title);
    expect(await visit.close()).toEqual([]);
  });

  it('asks for another selfie when one was taken that is too dark', async () => {
    const session = await atTheSelfie();
    const face = await sharp(await onWall(photo('img21.jpg')))
      .linear(0.1, 0)
      .png()
      .toBuffer();
    const visit = await CaptureVisit.open(camera, stack, session.url, [await stillVideo(face, 'face')], 1);
    await visit.advises('dark');
    expect(visit.sent).toEqual([]); // nothing is taken by itself
    await visit.press(SPANISH.camera.shutter);
    await visit.says(`${SPANISH.retry.too_dark} ${SPANISH.attemptsLeft(2)}`);
    expect(await visit.close()).toEqual([]);
  });

  it('goes on with files, by the keyboard, where there is no camera, and with a phone at the selfie', async () => {
    const browser = await openBrowser();
    const session = await hostedSession(integrator, HOLDER);
    const watched = await WatchedPage.open(browser, { viewport: 'desktop', locale: 'es-CO', origin: stack.personUrl });
    const { page } = watched;
    await page.goto(session.url);
    await page.getByLabel(SPANISH.consent.accept).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: SPANISH.consent.submit }).focus();
    await page.keyboard.press('Enter');
    for (const side of ['front', 'back'] as const) {
      await page.getByRole('heading', { level: 1, name: SPANISH.document[side] }).waitFor(SLOW);
      await page.getByText(SPANISH.camera.faults.none).waitFor(SLOW);
      const chosen = page.waitForEvent('filechooser', { timeout: PATIENT_MS });
      await page.locator('input[type=file]').press('Space');
      await (await chosen).setFiles({ name: `${side}.jpg`, mimeType: 'image/jpeg', buffer: card[side] });
    }
    await page.getByRole('heading', { level: 1, name: SPANISH.selfie.title }).waitFor(SLOW);
    await page.getByText(SPANISH.camera.faults.none).waitFor(SLOW);
    expect(await page.locator('input[type=file]').count()).toBe(0); // a face has to be before a camera
    await page.getByRole('button', { name: SPANISH.handover.offer }).waitFor();
    await watched.screen('capture-deployment-no-camera');
    await watched.close();
    expect(watched.problems).toEqual([]);
    await browser.close();
  });
});
