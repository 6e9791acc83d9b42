import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Where an app answers: `api`, for programs; `page`, a second address that people open in a browser; `ops`, the ops port, for operators.
 */
export type Host = 'api' | 'page' | 'ops';

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
