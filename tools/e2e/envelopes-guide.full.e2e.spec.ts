import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { eventually, type TestStack } from '@constancia/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import { INVITATION, linkIn, mailTo, tokenOf } from '../web/mailbox-reader.ts';
import { SignerAtPage } from '../web/signer-at-page.ts';
import { WatchedPage } from '@constancia/testing/watched-page';
import { type Integrator, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';
import { newCode, signByHttp } from './envelopes.fixture.ts';
import { blocksOf, runShell } from './guide.fixture.ts';

const GUIDE = 'docs/guides/envelopes.md';
const missing = ['bash', 'curl', 'openssl', 'pdfsig'].filter((tool) => spawnSync(tool, ['-v']).error !== undefined);
if (missing.length > 0) console.warn(`${GUIDE} is not run: ${missing.join(', ')} missing`);

/** The commands after those that only say where the stack is; its files are at hand as the guide says to save them. */
const commands = () => {
  const [, ...rest] = blocksOf(GUIDE, 'sh');
  return rest;
};

describe.skipIf(missing.length > 0)(GUIDE, () => {
  let stack: TestStack;
  let integrator: Integrator;
  let browser: Browser | undefined;

  beforeAll(async () => {
    const installed = browserInstalled(`the part of ${GUIDE} that a person does in a browser`);
    stack = await startDeployment({ env: NO_LIMITS, apps: ['platform', 'signing', 'sealing-worker'] });
    browser = installed ? await openBrowser() : undefined;
    integrator = await signUp(stack);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  const mailbox = (address: string) => stack.mailbox.messages(address);

  /** The address that the guide made up, once the mail has come. */
  function addressOf(who: string): Promise<string> {
    const written = () =>
      stack.mailbox.messages().find(({ to, text }) => to.startsWith(`${who}-`) && INVITATION.test(text))?.to;
    return eventually(
      () => {
        const address = written();
        if (address === undefined) throw new Error(`nobody has written to ${who}`);
        return address;
      },
      60_000,
      200,
    );
  }

  /** What the guide asks a person to do with the link in the mail; by the public endpoints where there is no browser. */
  async function signs(who: string, fills: boolean): Promise<void> {
    const email = await addressOf(who);
    const link = linkIn(stack, await mailTo(stack, email, INVITATION));
    if (!browser) return void (await signByHttp(stack, mailbox, { email, sign_token: tokenOf(link) }));
    const watched = await WatchedPage.open(browser, { viewport: 'phone', locale: 'es-CO', origin: stack.signUrl });
    const person = new SignerAtPage(watched, 'es-CO', 'pointer');
    await person.open(link);
    await person.consents();
    await person.provesByMail(() => newCode(mailbox, email));
    await person.readsDocument(1);
    await person.fillsIn(fills ? { Ciudad: 'Medellín' } : {}, fills ? ['Recibí copia del contrato'] : []);
    await person.signs();
    await person.reads(person.text.signed.now, person.text.sealing.title, person.text.sealed.title);
    await watched.close();
    expect(watched.problems).toEqual([]);
  }

  it('says commands that define, send, download and verify as they stand there, with two people who sign meanwhile', async () => {
    const folder = fs.mkdtempSync(path.join(fs.realpathSync(path.join(WORKSPACE, 'dist')), 'guide-'));
    fs.writeFileSync(path.join(folder, 'verify-audit.mjs'), blocksOf(GUIDE, 'js')[0] as string);
    const over = new AbortController();
    const running = runShell(commands(), {
      folder,
      signal: over.signal,
      env: {
        CONSTANCIA: WORKSPACE,
        SIGNING_URL: stack.signingUrl,
        SIGN_URL: stack.signUrl,
        MAILBOX_URL: stack.mailbox.url,
        API_KEY: integrator.apiKey,
      },
    });
    const people = signs('ana', true).then(() => signs('luis', false));
    people.catch(() => over.abort());
    const { status, output } = await running;
    if (status === 0) await people;
    fs.rmSync(folder, { recursive: true, force: true });
    expect(status, output).toBe(0);
    const shown = [
      '1\n',
      'draft',
      'published',
      "[ 'contratista pending', 'contratante waiting' ]",
      'Sign here: http',
      'And here: http',
      "[ 'contratista signed', 'contratante signed' ]",
      'Total document signed',
      'Signature is Valid',
      'Verified OK',
      "[ 'A••• M••• N•••', 'L••• P•••' ]",
      'envelope.sent',
      'envelope.sealed',
      'valid, ',
    ];
    let at = 0;
    for (const answer of shown) {
      const found = output.indexOf(answer, at);
      expect(found, `${answer} after ${output.slice(0, at).slice(-200)} in\n${output}`).toBeGreaterThanOrEqual(at);
      at = found + answer.length;
    }
  });
});
