import type { Locator, Page } from 'playwright-core';
import { ENGLISH } from '../../apps/signer-web/src/text/english.ts';
import type { Messages } from '../../apps/signer-web/src/text/messages.ts';
import { SPANISH } from '../../apps/signer-web/src/text/spanish.ts';
import type { WatchedPage } from '@constancia/testing/watched-page';

/** What the signing page says, by language: a test presses what a person reads. */
export const TEXTS: Record<'es-CO' | 'en', Messages> = { 'es-CO': SPANISH, en: ENGLISH };

export type Hands = 'pointer' | 'keyboard';

/** No screen has more places to stop at. */
const MOST_TABS = 60;

/** A person before the signing page: reads headings, presses, writes; with the pointer, or with the keyboard alone. */
export class SignerAtPage {
  readonly page: Page;
  readonly text: Messages;

  constructor(
    readonly watched: WatchedPage,
    private readonly locale: 'es-CO' | 'en',
    private readonly hands: Hands,
  ) {
    this.page = watched.page;
    this.text = TEXTS[locale];
  }

  open(link: string): Promise<unknown> {
    return this.page.goto(link);
  }

  /** Waits for one of these headings; answers which. */
  async reads(...titles: string[]): Promise<string> {
    const heading = this.page.locator('h1').filter({ hasText: new RegExp(titles.map(escaped).join('|')) });
    await heading.waitFor({ timeout: 15_000 });
    return (await heading.innerText()).trim();
  }

  async press(name: string): Promise<void> {
    const button = this.page.getByRole('button', { name, exact: true });
    if (this.hands === 'pointer') return button.click();
    await this.tabTo(button);
    await this.page.keyboard.press('Enter');
  }

  async write(label: string, value: string): Promise<void> {
    const input = this.page.getByRole('textbox', { name: label });
    if (this.hands === 'pointer') return input.fill(value);
    await this.tabTo(input);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(value);
  }

  async tick(label: string): Promise<void> {
    const box = this.page.getByRole('checkbox', { name: label });
    if (this.hands === 'pointer') return box.check();
    await this.tabTo(box);
    await this.page.keyboard.press('Space');
  }

  /** Reads the consent, agrees and goes on. */
  async consents(): Promise<void> {
    await this.reads(this.text.consent.title);
    await this.tick(this.text.consent.accept);
    await this.press(this.text.consent.submit);
  }

  /** Asks for a code, has it read from the mailbox, and gives it back. */
  async provesByMail(code: () => Promise<string>): Promise<void> {
    const { otp } = this.text;
    await this.reads(otp.title);
    await this.press(otp.send);
    await this.page.getByRole('textbox', { name: otp.label }).waitFor();
    await this.write(otp.label, await code());
    await this.press(otp.submit);
  }

  /** Waits for the pages of the document and goes on. */
  async readsDocument(pages: number): Promise<void> {
    await this.reads(this.text.read.title);
    await this.page.getByText(this.text.document.ready(pages)).waitFor({ state: 'attached', timeout: 20_000 });
    await this.page.getByRole('button', { name: this.text.read.submit, exact: true, disabled: false }).waitFor();
    await this.press(this.text.read.submit);
  }

  /** Fills in what the envelope does not know already. */
  async fillsIn(texts: Record<string, string>, ticks: string[]): Promise<void> {
    await this.reads(this.text.fill.title);
    for (const [label, value] of Object.entries(texts)) await this.write(label, value);
    for (const label of ticks) await this.tick(label);
    await this.press(this.text.fill.submit);
  }

  /** Draws two strokes. */
  async draws(): Promise<void> {
    await this.page.getByRole('radio', { name: this.text.sign.drawn }).check();
    const pad = this.page.getByRole('img', { name: this.text.sign.drawnLabel });
    await pad.scrollIntoViewIfNeeded();
    await this.page.locator('#drawn[width]').waitFor(); // the pad is loaded when it is wanted, and sets the size then
    await this.page.waitForTimeout(300);
    const box = await pad.boundingBox();
    if (box === null) throw new Error('there is no place to draw');
    const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
    const { mouse } = this.page;
    for (const stroke of [
      [at(0.15, 0.7), at(0.3, 0.25), at(0.4, 0.75), at(0.6, 0.3)],
      [at(0.2, 0.85), at(0.8, 0.8)],
    ]) {
      await mouse.move(...(stroke[0] as [number, number]));
      await mouse.down();
      for (const [x, y] of stroke.slice(1)) await mouse.move(x, y, { steps: 12 });
      await mouse.up();
    }
  }

  /** Means it, and signs. */
  async signs(): Promise<void> {
    const { sign } = this.text;
    await this.reads(sign.title);
    await this.tick(sign.intent);
    await this.press(sign.submit);
  }

  /** Takes a screenshot, and has the screen looked at for accessibility. */
  async screen(name: string): Promise<void> {
    await this.watched.screen(`${name}`);
  }

  /** Presses Tab until the element has the focus. */
  private async tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let tabs = 0; tabs <= MOST_TABS; tabs++) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard does not reach ${String(target)} (${this.locale})`);
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
