import { randomSecret43 } from '@constancia/kernel';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { generateOwnerProofToken } from '@constancia/auth';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import { BROWSER_PATH, browserInstalled, openBrowser } from '@constancia/testing/browser';
import { WatchedPage } from '@constancia/testing/watched-page';

const ATTEMPTS = 100;
const TEXTS = {
  'es-CO': {
    title: 'Confirme su dirección de correo',
    button: 'Confirmar',
    done: 'La dirección quedó confirmada. Ya puede cerrar esta página.',
    refused: 'Este enlace ya se usó o venció. Pida otro correo con POST /tenants/{id}/owner-email/proof-mail.',
    limited: 'Demasiados intentos desde esta red. Espere 15 minutos e intente de nuevo.',
    suspended: 'El servicio de esta organización está suspendido. Este enlace sirve de nuevo cuando se reanude.',
    failed: 'No fue posible confirmarla en este momento. Intente de nuevo.',
    incomplete: 'El enlace está incompleto: ábralo desde el correo, o cópielo entero.',
  },
  en: {
    title: 'Confirm your mail address',
    button: 'Confirm',
    done: 'The address is confirmed. You can close this page.',
    refused: 'This link was already used or has expired. Request another mail: POST /tenants/{id}/owner-email/proof-mail.',
    limited: 'Too many attempts from this network. Wait 15 minutes and try again.',
    suspended: 'The service of this organization is suspended. This link works again once it is resumed.',
    failed: 'The address could not be confirmed at the moment. Try again.',
    incomplete: 'The link is incomplete: open it from the mail, or copy all of it.',
  },
} as const; // prettier-ignore

let database: TestDatabase;
let platform: RunningPlatform;
let browser: Browser;
let watched: WatchedPage;

beforeAll(async () => {
  database = await testDatabase();
  platform = await runningPlatform(database, { RATE_LIMIT_SIGNUP: String(ATTEMPTS) });
  if (BROWSER_PATH !== null) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await platform?.close();
  await database?.drop();
});

describe.runIf(browserInstalled('the page that confirms an owner’s address')).each(['es-CO', 'en'] as const)(
  'the page that confirms an owner’s address, in %s',
  (locale) => {
    const texts = TEXTS[locale];
    let tenantId: string;
    let token: string;

    beforeEach(async () => {
      ({ id: tenantId } = await testTenant(database, { verified: false }));
      const proof = generateOwnerProofToken();
      token = proof.plaintext;
      await database.query(
        `insert into platform.owner_proof (token_hash, tenant_id, expires_at) values ($1, $2, now() + interval '1 day')`,
        [proof.hash, tenantId],
      );
      watched = await WatchedPage.open(browser, { viewport: 'phone', locale, origin: platform.url, secret: token });
    });
    afterEach(() => watched.close());

    const open = (fragment = `#${tenantId}.${token}`) => watched.page.goto(`${platform.url}/owner-email${fragment}`);
    const button = () => watched.page.getByRole('button', { name: texts.button, exact: true });
    const shows = (text: string) => watched.page.getByRole('status').filter({ hasText: text }).waitFor();
    const verified = async () => {
      const sql = 'select owner_email_verified_at from platform.tenant where id = $1';
      return (await database.query(sql, [tenantId]))[0]?.owner_email_verified_at != null;
    };

    it('confirms it when the button is pressed, not before, and sends the token nowhere else', async () => {
      await open();
      expect(await watched.page.getByRole('heading', { level: 1 }).textContent()).toBe(texts.title);
      await watched.screen('owner-email');
      expect(await verified()).toBe(false);

      await button().click();
      await shows(texts.done);
      expect(await verified()).toBe(true);
      expect(await button().isVisible()).toBe(false);
      await watched.lookForTraces();
      expect(watched.requests.filter((url) => url.split('#')[0]?.includes(token))).toEqual([]);
      expect(watched.problems).toEqual([]);
    });

    it('says that the link was used or has expired', async () => {
      await open(`#${tenantId}.own_${randomSecret43()}`);
      await button().click();
      await shows(texts.refused);
      expect(await button().isVisible()).toBe(false);
      expect(await verified()).toBe(false);
    });

    it('says that the network made too many attempts, and lets the person try again later', async () => {
      await watched.page.route('**/owner-email/proof', (route) => route.fulfill({ status: 429 }), { times: 1 });
      await open();
      await button().click();
      await shows(texts.limited);
      await button().click();
      await shows(texts.done);
      expect(await verified()).toBe(true);
    });

    it('says that the tenant is suspended, and confirms the address once it is resumed', async () => {
      const setSuspended = (at: Date | null) =>
        database.query('update platform.tenant set suspended_at = $2 where id = $1', [tenantId, at]);
      await setSuspended(new Date());
      await open();
      await button().click();
      await shows(texts.suspended);
      expect(await verified()).toBe(false);
      await setSuspended(null);
      await button().click();
      await shows(texts.done);
    });

    it('says that the service could not be reached, and lets the person try again', async () => {
      await watched.page.route('**/owner-email/proof', (route) => route.abort(), { times: 1 });
      await open();
      await button().click();
      await shows(texts.failed);
      await button().click();
      await shows(texts.done);
    });

    it.each(['', '#', '#own_abc'])('says that a link with %j is incomplete, without a button', async (fragment) => {
      await open(fragment);
      await shows(texts.incomplete);
      expect(await button().isVisible()).toBe(false);
    });
  },
);
