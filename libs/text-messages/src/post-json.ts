import { TextMessageUnavailable } from './text-messages.ts';

const TIMEOUT_MS = 8_000;

export interface JsonAnswer {
  status: number;
  headers: Headers;
  /** {} when the body is no JSON object. */
  body: Record<string, unknown>;
}

/** One POST without redirects. Throws TextMessageUnavailable, retryable, when there is no answer in time. */
export async function postJson(url: string, headers: Record<string, string>, body: string): Promise<JsonAnswer> {
  try {
    const response = await fetch(url, {
      ...{ method: 'POST', headers, body, redirect: 'manual' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, headers: response.headers, body: objectIn(await response.text()) };
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    throw new TextMessageUnavailable(name === 'TimeoutError' ? 'timeout' : (cause?.code ?? 'unreachable'), true);
  }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
