import { browserInstalled } from '@constancia/testing/browser';
import { WatchedPage } from '@constancia/testing/watched-page';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaptureServer, startCaptureServer } from '../dev/capture-server.ts';
import { CANCEL_TOKEN } from '../dev/recoveries.ts';
import { WALLET_CODE } from '../dev/wallets.ts';
import { ENGLISH as CAMERA_ENGLISH } from '../src/text/english.ts';
import { SPANISH as CAMERA_SPANISH } from '../src/text/spanish.ts';
import { ENGLISH } from '../src/wallet/text/english.ts';
import { SPANISH } from '../src/wallet/text/spanish.ts';
import { FakeCamera } from './fake-camera.ts';
import { portrait, unexpected } from './person.ts';
import { addPasskeys } from './virtual-authenticator.ts';

describe.skipIf(!browserInstalled('The recovery of a wallet'))('the page on which a wallet is recovered', () => {
  let server: CaptureServer;
  let camera: FakeCamera;

  beforeAll(async () => {
    [server, camera] = await Promise.all([startCaptureServer(), FakeCamera.open()]);
    await camera.show(await portrait(), 'face');
  });
  afterAll(async () => {
    await camera?.close();
    await server?.close();
  });

  async function visit(viewport: 'phone' | 'desktop', locale: 'es-CO' | 'en', hash = '') {
    const origin = server.url.replace('127.0.0.1', 'localhost'); // browsers have passkeys for names alone
    const watched = await WatchedPage.open(camera.browser, { viewport, locale, origin, secret: CANCEL_TOKEN });
    await watched.context.grantPermissions(['camera'], { origin });
    const { page } = watched;
    await addPasskeys(page);
    await page.goto(`${origin}/wallet${hash}`);
    return {
      watched,
      page,
      text: locale === 'en' ? ENGLISH : SPANISH,
      camera: locale === 'en' ? CAMERA_ENGLISH : CAMERA_SPANISH,
      press: (name: string) => page.getByRole('button', { name, exact: true }).click(),
      heading: (title: string) => page.getByRole('heading', { level: 1, name: title }).waitFor(),
      close: async () => {
        await watched.close();
        expect(unexpected({ watched })).toEqual([]);
      },
    };
  }
  type Visit = Awaited<ReturnType<typeof visit>>;

  async function prove({ page, text, press, heading }: Visit): Promise<void> {
    await press(text.recovery.open);
    await heading(text.recovery.title);
    await page.getByLabel(text.signIn.address).fill('ana@correo.example');
    await press(text.signIn.send);
    await page.getByLabel(text.signIn.code).fill(WALLET_CODE);
    await press(text.recovery.title);
    await heading(text.recovery.passkeyTitle);
  }

  it('takes the code, a passkey and the face with its turns, again where it was not seen, and says when it takes effect', async () => {
    const one = await visit('phone', 'es-CO');
    const { page, text, press, heading, watched } = one;
    server.recoveries.outcomes = [{ state: 'contact_verified', reason: 'too_dark', checks_left: 2 }];
    await press(text.recovery.open);
    await watched.screen('recovery-1-address');
    await press(text.recovery.back);
    await prove(one);
    await watched.screen('recovery-2-passkey');
    await page.getByLabel(text.passkeys.name).fill('Celular nuevo');
    await press(text.recovery.create);
    await heading(text.recovery.faceTitle);
    await press(one.camera.camera.shutter);
    await page
      .getByText(one.camera.selfie.pose(2, 2, one.camera.selfie.poses.left ?? ''))
      .first()
      .waitFor();
    await watched.screen('recovery-3-face');
    await page.getByText(one.camera.retry.too_dark ?? '').waitFor();
    await page.getByText(text.recovery.left(2)).waitFor();
    await press(one.camera.camera.shutter);
    await heading(text.recovery.coolingTitle);
    await watched.screen('recovery-4-cooling');
    expect(server.recoveries.passkeys).toEqual(['Celular nuevo']); // once: the second completion has none
    expect(server.recoveries.pictures).toBe(6);
    await one.close();
  });

  it('ends after three wrong codes, and with the face of another', async () => {
    const one = await visit('desktop', 'en');
    const { page, text, press, heading, watched } = one;
    await press(text.recovery.open);
    await watched.screen('recovery-5-desktop');
    await page.getByLabel(text.signIn.address).fill('ana@correo.example');
    await press(text.signIn.send);
    for (const code of ['000000', '000001', '000002', '000003']) {
      await page.getByLabel(text.signIn.code).fill(code);
      await press(text.recovery.title);
      if (code !== '000003') await page.getByText(text.signIn.wrong).waitFor();
    }
    await heading(text.recovery.overTitle);
    await press(text.signIn.title);
    server.recoveries.outcomes = [{ state: 'rejected', reason: 'not_verified', checks_left: 2 }];
    await prove(one);
    await page.getByLabel(text.passkeys.name).fill('New phone');
    await press(text.recovery.create);
    await press(one.camera.camera.shutter);
    await page.getByText(text.recovery.over.other ?? '').waitFor();
    await watched.screen('recovery-6-over');
    await one.close();
  });

  it('cancels with the link of the notice when it is pressed, not when it is opened; and for anyone who is signed in', async () => {
    server.recoveries.cooling = true;
    const one = await visit('phone', 'es-CO', `?lang=es#cancel=${CANCEL_TOKEN}`);
    const { page, text, press, heading, watched } = one;
    await heading(text.recovery.stopTitle);
    expect(server.recoveries.cooling).toBe(true);
    await watched.screen('recovery-7-cancel');
    await press(text.recovery.stop);
    await page.getByText(text.recovery.stopped).waitFor();
    expect(server.recoveries.cooling).toBe(false);
    await press(text.signIn.title);
    expect(page.url()).not.toContain(CANCEL_TOKEN);
    const wallet = server.wallets.add({ recovering: true });
    await page.getByLabel(text.signIn.address).fill(wallet.email);
    await press(text.signIn.send);
    await page.getByLabel(text.signIn.code).fill(WALLET_CODE);
    await press(text.signIn.submit);
    await heading(text.mine.title);
    await page.getByRole('button', { name: text.recovery.stop }).waitFor();
    await watched.screen('recovery-8-pending');
    await press(text.recovery.stop);
    await page.getByText(text.recovery.stopped).waitFor();
    expect(wallet.recovering).toBe(false);
    await one.close();
  });
});
