import {
  type EmbedErrorCode,
  type EmbedExchange,
  type EmbedExchanged,
  type EmbedTheme,
} from '@constancia/contracts/embed';
import { sendJson } from '@constancia/web';
import { type CaptureApi, captureApi, failureOf, Refused } from '../api/capture-api.ts';
import { HostPage } from './host-page.ts';
import { applyTheme } from './theme.ts';

/** What became of opening the session: open, or why not. alone: the page is not in a frame. */
export type Opening =
  { kind: 'open'; host: HostPage; api: CaptureApi } | { kind: 'alone' | 'unknown' | EmbedErrorCode };

const REFUSALS: Partial<Record<number, EmbedErrorCode>> = { 400: 'origin_not_allowed', 409: 'already_open' };

/**
 * Opens the embed session at `base` for this frame, once the page that holds it has introduced itself. The access token is kept in
 * memory alone.
 */
export async function openFrame(base: string): Promise<Opening> {
  if (window.parent === window) return { kind: 'alone' };
  const host = await HostPage.connected(window);
  const call = async <Answer>(method: string, route: string, body?: unknown): Promise<Answer> =>
    (await sendJson<Answer>(`${base}${route}`, { method, body, errorOf: failureOf })).answer;
  try {
    applyTheme((await call<{ theme: EmbedTheme }>('GET', '/state')).theme);
    const introduced: EmbedExchange = { parent_origin: host.origin };
    const { id, access_token: token } = await call<EmbedExchanged>('POST', '/exchange', introduced);
    host.session = id;
    host.on('theme', (theme) => applyTheme(theme));
    host.on('focus', () => document.querySelector<HTMLElement>('main')?.focus());
    return { kind: 'open', host, api: captureApi({ read: () => token, replace: () => undefined }, base) };
  } catch (error) {
    return refused(host, error);
  }
}

function refused(host: HostPage, error: unknown): Opening {
  const status = error instanceof Refused ? error.status : 0;
  if (status === 404) {
    host.send('expired', {});
    return { kind: 'unknown' };
  }
  const code = REFUSALS[status] ?? 'unavailable';
  host.send('error', { code });
  return { kind: code };
}
