import { randomInt } from 'node:crypto';
import type { OpenIdEnd, OpenIdState } from '@constancia/contracts';
import { eventually, type TestStack } from '@constancia/testing';
import { inStore } from '../deployment.fixture.ts';

/** An address of its own for each request: what is limited by address is not what these tests are about. */
export const someAddress = (): Record<string, string> => ({
  'x-forwarded-for': `198.51.${randomInt(256)}.${randomInt(1, 255)}`,
});

/** What a page's script was refused with. */
export class PageRefused extends Error {
  constructor(
    readonly status: number,
    path: string,
    text: string,
  ) {
    super(`${path} answered ${status}: ${text}`);
  }
}

/** How long an answer may take. */
export const ANSWERED_WITHIN_MS = 30_000;

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** The cookies of a browser. A host has them on all its ports, as hosts do. */
class Cookies {
  private readonly kept: Cookie[] = [];

  of(pathname: string): string {
    return this.kept
      .filter(({ path }) => pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(/; */);
      const name = pair.slice(0, pair.indexOf('='));
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
      const at = this.kept.findIndex((known) => known.name === name && known.path === path);
      if (at >= 0) this.kept.splice(at, 1);
      const value = pair.slice(pair.indexOf('=') + 1);
      if (value !== '') this.kept.push({ name, value, path });
    }
  }
}

interface Challenge {
  challenge_id: string;
}

/** How the person answers the page that asks for their consent. */
export type Answer = 'agree' | 'refuse';

/** A browser of a person with a wallet: follows redirects, and answers the pages of the person host as their script does. */
export class PersonBrowser {
  answer: Answer = 'agree';
  /** What the pages asked, in order. */
  readonly asked: OpenIdState[] = [];
  private readonly cookies = new Cookies();

  constructor(
    private readonly stack: TestStack,
    private readonly email: string,
  ) {}

  /** Another one of the same person, who is not signed in. */
  stranger(): PersonBrowser {
    return new PersonBrowser(this.stack, this.email);
  }

  /** One request. */
  async fetch(address: string, options: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(address);
    const headers = new Headers({ ...someAddress(), ...Object.fromEntries(new Headers(options.headers)) });
    const cookie = this.cookies.of(pathname);
    if (cookie !== '') headers.set('cookie', cookie);
    const signal = options.signal ?? AbortSignal.timeout(ANSWERED_WITHIN_MS);
    const answer = await fetch(address, { ...options, headers, signal, redirect: 'manual' });
    this.cookies.keep(answer.headers.getSetCookie());
    return answer;
  }

  /** Where the browser is led in the end: away from the deployment; or the answer that leads nowhere. */
  async open(address: string): Promise<URL | Response> {
    const own = [new URL(this.stack.baseUrl).origin, new URL(this.stack.personUrl).origin];
    let at = address;
    for (let hops = 0; hops < 15; hops++) {
      const answer = await this.fetch(at);
      const location = answer.headers.get('location');
      if (location === null) return answer;
      const next = new URL(location, at);
      if (!own.includes(next.origin)) return next;
      at = next.origin === own[1] ? await this.page(next) : next.href;
    }
    throw new Error('too many redirects');
  }

  /** What the script of the page does; answers where it leads on to. */
  private async page(address: URL): Promise<string> {
    const shown = await this.fetch(address.href);
    if (shown.status !== 200) throw new Error(`the page answered ${shown.status}`);
    await shown.text();
    const state = await this.call<OpenIdState>(`${address.href}/state?locale=en`);
    this.asked.push(state);
    const { nonce, text } = state;
    const end = async (route: string, body: object = {}) =>
      (await this.call<OpenIdEnd>(`${address.href}/${route}`, { nonce, ...body })).redirect_to;
    if (this.answer === 'refuse') return end('refuse');
    if (state.step === 'sign_in') return this.signIn(address.href, nonce);
    return end('agree', text === null ? {} : { version: text.version, locale: text.locale, sha256: text.sha256 });
  }

  private async signIn(page: string, nonce: string): Promise<string> {
    const { asked, code } = await this.mailedCode<Challenge>(`${page}/otp/send`, { nonce });
    const verified = { nonce, challenge_id: asked.challenge_id, code };
    return (await this.call<OpenIdEnd>(`${page}/otp/verify`, verified)).redirect_to;
  }

  /** The person signs in to their wallet: requests of its page. */
  async wallet(): Promise<<Body>(path: string, body?: object) => Promise<Body>> {
    const sessions = `${this.stack.personUrl}/v1/wallet/sessions`;
    const { asked, code } = await this.mailedCode<Challenge>(`${sessions}/start`, {});
    const verified = { challenge_id: asked.challenge_id, code };
    const { wallet_session_jwt: token } = await this.call<{ wallet_session_jwt: string }>(
      `${sessions}/verify`,
      verified,
    );
    return (path, body) => this.call(`${this.stack.personUrl}${path}`, body, { authorization: `Bearer ${token}` });
  }

  /** Asks for a code, and reads it in the mail. */
  async mailedCode<Asked>(address: string, more: object): Promise<{ asked: Asked; code: string }> {
    await inStore(this.stack, `update identity.sign_in_code set sends = '{}'`); // a minute has passed
    const before = this.stack.mailbox.messages(this.email).length;
    const asked = await this.call<Asked>(address, { ...more, identifier: this.email });
    const mail = await eventually(() => {
      const mails = this.stack.mailbox.messages(this.email);
      if (mails.length <= before) throw new Error('no mail yet');
      return mails[0] as { text: string };
    }, 20_000);
    return { asked, code: /^(\d{6})\r?$/m.exec(mail.text)?.[1] as string };
  }

  /** A request of the page's script. Throws PageRefused. */
  async call<Body>(address: string, body?: object, more: Record<string, string> = {}): Promise<Body> {
    const answer = await this.fetch(address, {
      headers: { 'sec-fetch-site': 'same-origin', ...(body && { 'content-type': 'application/json' }), ...more },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new PageRefused(answer.status, new URL(address).pathname, text);
    return JSON.parse(text) as Body;
  }
}
