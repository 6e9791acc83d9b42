import type { IncomingMessage } from 'node:http';

/**
 * Where an app answers: `api`, for programs; `page`, a second address that people open in a browser; `ops`, the ops port, for operators.
 */
export type Host = 'api' | 'page' | 'ops';

const hosts = new WeakMap<IncomingMessage, Host>();

/** Says of a request which host it came to, when it is not the API's. */
export function cameTo(request: IncomingMessage, host: Host): void {
  hosts.set(request, host);
}

/** The host that a request came to. */
export function hostOf(request: IncomingMessage): Host {
  return hosts.get(request) ?? 'api';
}
