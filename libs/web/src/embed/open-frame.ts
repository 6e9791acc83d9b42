import {
  EMBED_STATE,
  type EmbedErrorCode,
  type EmbedExchange,
  type EmbedExchanged,
  type EmbedTheme,
} from '@constancia/contracts/embed';
import { type Refusal, sendJson } from '../client.ts';
import type { Locale } from '../language-in-address.ts';
import { HostPage } from './host-page.ts';
import { applyTheme } from './theme.ts';

/** An embed session that this frame has: the page that holds it, the access token, the language that the tenant suggests. */
export interface OpenFrame {
  kind: 'open';
  host: HostPage;
  token: string;
  locale: Locale | null;
}

/** Why there is none. alone: the page is not in a frame. unknown: the token is, or its session has ended. */
export type Refused = 'alone' | 'unknown' | EmbedErrorCode;

/** What became of opening an embed session. */
export type Opening = OpenFrame | { kind: Refused };

/** The server refused, with this status. */
class NotOpened extends Error {
  constructor(readonly status: number) {
    super(`refused with ${status}`);
  }
}

/** Less than half of the ten minutes that an access token works without use: browsers slow the clock of a hidden page down. */
const KEEP_OPEN_MS = 240_000;

const REFUSALS: Partial<Record<number, EmbedErrorCode>> = { 400: 'origin_not_allowed', 409: 'already_open' };

/**
 * Opens the embed session at `base` for this frame, once the page that holds it has introduced itself. The access token is kept in
 * memory alone.
 */
export async function openFrame(base: string): Promise<Opening> {
  if (window.parent === window) return { kind: 'alone' };
  const host = await HostPage.connected(window);
  const errorOf = ({ status }: Refusal) => new NotOpened(status);
  const call = async <Answer>(method: string, route: string, body?: unknown): Promise<Answer> =>
    (await sendJson<Answer>(`${base}${route}`, { method, body, errorOf })).answer;
  try {
    const { theme, locale } = await call<{ theme: EmbedTheme; locale: Locale | null }>('GET', EMBED_STATE);
    applyTheme(theme);
    const introduced: EmbedExchange = { parent_origin: host.origin };
    const { id, access_token: token } = await call<EmbedExchanged>('POST', '/exchange', introduced);
    host.session = id;
    host.on('theme', (changed) => applyTheme(changed));
    host.on('focus', () => document.querySelector<HTMLElement>('main')?.focus());
    keepOpen(base, token);
    return { kind: 'open', host, token, locale };
  } catch (error) {
    return refused(host, error);
  }
}

/**
 * Uses the access token now and then, for as long as the page is there: a person may read for longer, or prove an identity in another tab,
 * than it works without use. What is answered does not matter.
 */
export function keepOpen(base: string, token: string): void {
  const headers = { authorization: `Bearer ${token}` };
  const errorOf = ({ status }: Refusal) => new NotOpened(status);
  const use = () => sendJson(`${base}${EMBED_STATE}`, { method: 'GET', headers, errorOf }).catch(() => undefined);
  setInterval(() => void use(), KEEP_OPEN_MS);
}

function refused(host: HostPage, error: unknown): Opening {
  const status = error instanceof NotOpened ? error.status : 0;
  if (status === 404) {
    host.send('expired', {});
    return { kind: 'unknown' };
  }
  const code = REFUSALS[status] ?? 'unavailable';
  host.send('error', { code });
  return { kind: code };
}
