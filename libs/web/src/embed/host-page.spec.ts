import { type HostMessage, newEmbedMessage } from '@constancia/contracts/embed';
import { describe, expect, it } from 'vitest';
import { type FrameWindow, HostPage } from './host-page.ts';

const SHOP = 'https://shop.example';
const NONCE = 'ab'.repeat(16);

/** A frame and the window that holds it, without a browser: messages are delivered as the test says. */
class Frame {
  readonly told: { data: unknown; origin: string }[] = [];
  readonly holder = { postMessage: (data: unknown, origin: string) => void this.told.push({ data, origin }) };
  private readonly listeners = new Set<(event: MessageEvent) => void>();
  readonly window = {
    parent: this.holder,
    addEventListener: (_: string, listener: (event: MessageEvent) => void) => this.listeners.add(listener),
    removeEventListener: (_: string, listener: (event: MessageEvent) => void) => this.listeners.delete(listener),
  } as unknown as FrameWindow;

  deliver(data: unknown, { origin = SHOP, source = this.holder as object } = {}): void {
    for (const listener of [...this.listeners]) listener({ data, origin, source } as MessageEvent);
  }
}

const message = (name: HostMessage, seq: number, nonce = NONCE, payload: object = {}) =>
  newEmbedMessage(name, payload, { session: '', seq, nonce });

async function connected(): Promise<{ frame: Frame; page: HostPage; themes: object[] }> {
  const frame = new Frame();
  const connecting = HostPage.connected(frame.window);
  frame.deliver(message('connect', 1));
  const page = await connecting;
  const themes: object[] = [];
  page.on('theme', (theme) => themes.push(theme));
  return { frame, page, themes };
}

describe('the page that holds a frame', () => {
  it('is the parent window that introduces itself, and no other window or message', async () => {
    const frame = new Frame();
    const connecting = HostPage.connected(frame.window);
    frame.deliver(message('connect', 1), { source: {}, origin: 'https://evil.example' });
    frame.deliver(message('connect', 1), { origin: 'null' });
    frame.deliver(message('theme', 1));
    for (const data of [null, 'x', {}, { ...message('connect', 1), v: 2 }, { ...message('connect', 1), nonce: 'x' }]) {
      frame.deliver(data);
    }
    frame.deliver(message('connect', 1));
    expect((await connecting).origin).toBe(SHOP);
  });

  it('gets messages that only its origin can read, counted, with its nonce', async () => {
    const { frame, page } = await connected();
    page.session = 'ems_1';
    page.send('ready', {});
    page.send('step', { step: 'consent' });
    expect(frame.told.map(({ origin }) => origin)).toEqual([SHOP, SHOP]);
    expect(frame.told.map(({ data }) => data)).toEqual([
      { v: 1, type: 'service.embed.ready', session: 'ems_1', seq: 1, nonce: NONCE, payload: {} },
      { v: 1, type: 'service.embed.step', session: 'ems_1', seq: 2, nonce: NONCE, payload: { step: 'consent' } },
    ]);
  });

  it('is heard; what another window, origin or nonce says, or is said again, is ignored', async () => {
    const { frame, themes } = await connected();
    frame.deliver(message('theme', 2, NONCE, { color_scheme: 'dark' }));
    frame.deliver(message('theme', 2, NONCE, { color_scheme: 'light' }));
    frame.deliver(message('theme', 1, NONCE, { color_scheme: 'light' }));
    frame.deliver(message('theme', 3, 'cd'.repeat(16), { color_scheme: 'light' }));
    frame.deliver(message('theme', 3), { origin: 'https://evil.example' });
    frame.deliver(message('theme', 3), { source: {} });
    frame.deliver(message('connect', 9, 'cd'.repeat(16)), { origin: 'https://evil.example', source: {} });
    expect(themes).toEqual([{ color_scheme: 'dark' }]);
  });
});
