import type { FastifyInstance } from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Admission } from '../admission/admission.ts';
import type { ReadBudget } from '../admission/read-budget.ts';
import type { DrainState } from '../answers/drain.ts';
import type { RequestLog } from '../answers/request-log.ts';
import type { SecurityHeaders } from '../answers/security-headers.ts';
import type { BodyMemory } from '../body/body-memory.ts';
import type { StaleReads } from '../request/stale-reads.ts';
import type { HttpOptions } from '../http-options.ts';
import type { PageHostName } from '../routes/hosts.ts';
import type { RouteTable } from '../routes/route-table.ts';
import type { PageListener } from './page-listener.ts';

/** What a server needs for its requests: kept once, on the Fastify instance, as `constancia`. */
export interface ServerContext {
  options: HttpOptions;
  drain: DrainState;
  memory: BodyMemory;
  routes: RouteTable;
  admission: Admission;
  readBudget: ReadBudget;
  staleReads: StaleReads;
  headers: SecurityHeaders;
  requestLog: RequestLog;
  /** The origin whose pages may call the API host. */
  consoleOrigin: string | undefined;
  /** The listeners of page hosts. */
  pages: Partial<Record<PageHostName, PageListener>>;
}

declare module 'fastify' {
  interface FastifyInstance {
    constancia: ServerContext;
  }
}

/** What an app of createHttpApp was made with. */
export function contextOf(app: NestFastifyApplication): ServerContext {
  const { constancia } = app.getHttpAdapter().getInstance() as FastifyInstance;
  if (constancia === undefined) throw new Error('serve() takes an app made by createHttpApp()');
  return constancia;
}
