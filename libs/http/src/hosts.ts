import type { IncomingMessage } from 'node:http';

/** Where an app answers: `api`, for programs, or `page`, a second address that people open in a browser. */
export type Host = 'api' | 'page';

const atPageHost = new WeakSet<IncomingMessage>();

/** Says of a request that it came to the page host. */
export function cameToPageHost(request: IncomingMessage): void {
  atPageHost.add(request);
}

/** The host that a request came to. */
export function hostOf(request: IncomingMessage): Host {
  return atPageHost.has(request) ? 'page' : 'api';
}
