import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DrainState } from './drain.ts';
import type { HttpOptions } from './http-options.ts';
import type { PageListener } from './page-listener.ts';

interface Hosted {
  options: HttpOptions;
  drain: DrainState;
  /** The second listener, of apps that have a page host. */
  pages: PageListener | undefined;
}

const hosted = new WeakMap<object, Hosted>();

export function bindContext(app: NestFastifyApplication, made: Hosted): void {
  hosted.set(app.getHttpAdapter(), made);
}

/** What an app of createHttpApp was made with. */
export function contextOf(app: NestFastifyApplication): Hosted {
  const found = hosted.get(app.getHttpAdapter());
  if (found === undefined) throw new Error('serve() takes an app made by createHttpApp()');
  return found;
}
