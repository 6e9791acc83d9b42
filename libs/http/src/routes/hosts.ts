import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Addresses of an app that people open in a browser. page: signers (signing) or members (platform); person: subjects, who take part in a
 * flow (platform).
 */
export const PAGE_HOSTS = ['page', 'person'] as const;
export type PageHostName = (typeof PAGE_HOSTS)[number];

/** Where an app answers: `api`, for programs; page hosts, for people; `ops`, the ops port, for operators. */
export type Host = 'api' | PageHostName | 'ops';

declare module 'node:http' {
  interface IncomingMessage {
    /** The host that the request came to, when it is not the API's. */
    cameTo?: Host;
    /** The answer that lets a client that asked first (Expect: 100-continue) send its body. */
    waitingForContinue?: ServerResponse;
  }
}

/** The host that a request came to. */
export function hostOf(request: IncomingMessage): Host {
  return request.cameTo ?? 'api';
}
