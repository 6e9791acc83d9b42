import type { IncomingHttpHeaders } from 'node:http';

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Whether a request comes from a page of the host that it came to: only then does a cookie count. Browsers say where a request comes
 * from; those that do not say it of a request that changes something are not believed.
 */
export function isSameOrigin({ method, headers }: { method: string; headers: IncomingHttpHeaders }): boolean {
  const site = headers['sec-fetch-site'];
  if (typeof site === 'string') return site === 'same-origin' || (site === 'none' && SAFE.has(method));
  const { origin } = headers;
  if (typeof origin !== 'string') return SAFE.has(method);
  return URL.canParse(origin) && new URL(origin).host === headers.host;
}

/** Whether the cookies of a page need TLS: always, but for a page on this machine. */
export function needsTls(pageUrl: string): boolean {
  const { protocol, hostname } = new URL(pageUrl);
  const loopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  return protocol === 'https:' || !loopback;
}

/** The value of a cookie that a request sent, the first of the right form: another page may have set one of the same name. */
export function cookieNamed(
  name: string,
  form: RegExp,
  { headers }: { headers: IncomingHttpHeaders },
): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value !== undefined && form.test(value)) return value;
  }
  return undefined;
}
