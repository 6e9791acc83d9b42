import type { ServerResponse } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { HttpOptions } from './http-options.ts';
import type { PageListener } from './page-listener.ts';

/** Whether a process is going away: readiness says no, and every answer closes its connection. */
export class DrainState {
  draining = false;
  /** Answers that are not out yet. */
  readonly inFlight = new Set<ServerResponse>();

  begin(): void {
    this.draining = true;
    for (const response of this.inFlight) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
  }
}

interface Hosted {
  options: HttpOptions;
  drain: DrainState;
  /** The second listener, of apps that have a page host. */
  pages: PageListener | undefined;
}

const hosted = new WeakMap<object, Hosted>();

export function hostProcess(app: NestFastifyApplication, made: Hosted): void {
  hosted.set(app.getHttpAdapter(), made);
}

/** What an app of createHttpApp was made with. */
export function hostedWith(app: NestFastifyApplication): Hosted {
  const found = hosted.get(app.getHttpAdapter());
  if (found === undefined) throw new Error('serve() takes an app made by createHttpApp()');
  return found;
}
