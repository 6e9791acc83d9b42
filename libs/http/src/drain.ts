import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { HttpOptions } from './http-options.ts';

/** Whether a process is going away: readiness says no, and answers close their connections. */
export class DrainState {
  draining = false;
  /** Requests that have begun and are not answered yet. */
  inFlight = 0;
}

interface Hosted {
  options: HttpOptions;
  drain: DrainState;
}

const hosted = new WeakMap<object, Hosted>();

export function hostProcess(app: NestFastifyApplication, options: HttpOptions, drain: DrainState): void {
  hosted.set(app.getHttpAdapter(), { options, drain });
}

/** What an app of createHttpApp was made with. */
export function hostedWith(app: NestFastifyApplication): Hosted {
  const found = hosted.get(app.getHttpAdapter());
  if (found === undefined) throw new Error('serve() takes an app made by createHttpApp()');
  return found;
}
