import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { ConfigInvalid } from '@constancia/config';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { closeAll, sleep } from '@constancia/kernel';
import { opsApiOf } from '../ops/ops-listener.ts';
import {
  ClosingLogger,
  opsServer,
  opsServerOf,
  type OpsServer,
  startTracing,
  type Logger,
} from '@constancia/telemetry';
import type { DrainState } from '../answers/drain.ts';
import { PAGE_HOSTS, type PageHostName } from '../routes/hosts.ts';
import { contextOf } from './server-context.ts';
import type { HttpConfig } from '../http-config.ts';

/** How long idle connections get to send a request that is already on its way. */
const IDLE_GRACE_MS = 500;
/** How long requests under way may take to be answered; longer than the longest wait of a route (25 s). */
const IN_FLIGHT_MS = 28_000;
const POLL_MS = 20;

/**
 * Listens, and ends the process well: on SIGTERM or SIGINT readiness turns false, `drainSeconds` pass while everything is still
 * answered (each answer closing its connection), then nothing new is accepted, what is under way is answered, the app's own
 * shutdown hooks run, and the process exits 0, or 1 if a hook failed. A second signal exits at once.
 */
export async function serve(app: NestFastifyApplication, config: HttpConfig): Promise<void> {
  const { options, drain } = contextOf(app);
  const { logger, pageHosts = {} } = options;
  const stopTracing = await startTracing({ app: options.name, endpoint: config.otlpEndpoint, logger });
  await onPort(config.port, () => app.listen(config.port, config.host));
  for (const name of PAGE_HOSTS) {
    const port = pageHosts[name]?.port;
    if (port !== undefined) await onPort(port, () => listenForPages(app, port, config.host, name));
  }
  // After the API listens: a client that gets "ready" here may send requests there.
  const ops = await opsServerOf(config, { ...options, api: opsApiOf(app.getHttpAdapter().getInstance()) });
  logger.info({ port: config.port, host: config.host, environment: config.environment }, 'listening');

  const stop = async (signal: string): Promise<void> => {
    if (drain.draining) process.exit(1);
    logger.info({ signal }, 'draining');
    ops?.draining();
    await drainHttp(app, drain, config.drainSeconds * 1000);
    const closing = new ClosingLogger(logger);
    app.useLogger(closing);
    await closeAll([() => app.close(), stopTracing, () => ops?.close()]);
    logger.info({ signal }, 'stopped');
    logger.flush();
    process.exit(closing.failed ? 1 : 0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => fail(logger, error));
    });
  }
}

/** Takes an app out of service without failing a request; returns when none is under way, or the patience is over. */
export async function drainHttp(app: NestFastifyApplication, drain: DrainState, drainMs: number): Promise<void> {
  drain.begin();
  await sleep(drainMs);
  const pages = Object.values(contextOf(app).pages).map(({ server }) => server);
  const servers = [app.getHttpServer() as HttpServer, ...pages];
  servers.forEach(stopAccepting);
  await sleep(IDLE_GRACE_MS);
  for (const server of servers) server.closeIdleConnections();
  const deadline = Date.now() + IN_FLIGHT_MS;
  while (drain.inFlight.size > 0 && Date.now() < deadline) await sleep(POLL_MS);
  for (const server of servers) server.closeAllConnections();
}

/** Listens on the port of a page host (HttpOptions.pageHosts); answers the port. Tests call it with an app that listens. */
export async function listenForPages(
  app: NestFastifyApplication,
  port = 0,
  host = '127.0.0.1',
  name: PageHostName = 'page',
): Promise<number> {
  const listener = contextOf(app).pages[name];
  if (listener === undefined) throw new Error(`this app has no page host ${name}`);
  return listener.listen(port, host);
}

/** Opens the ops port of an app, as serve does, with this token or these of a file. For tests. */
export async function listenForOperators(
  app: NestFastifyApplication,
  options: { token?: string; tokensFile?: string; page?: string },
): Promise<OpsServer> {
  const api = opsApiOf(app.getHttpAdapter().getInstance());
  return opsServer({ ...contextOf(app).options, api, port: 0, ...options });
}

/** Says in a line that a port is taken, which is a matter of the configuration. */
async function onPort(port: number, listen: () => Promise<unknown>): Promise<void> {
  try {
    await listen();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new ConfigInvalid([
      `port ${port} is taken by another program (EADDRINUSE): end that one, or configure another port`,
    ]);
  }
}

/** http.Server.close would also cut idle connections at once, on which a request may be on its way; net.Server.close does not. */
function stopAccepting(server: HttpServer): void {
  Server.prototype.close.call(server);
}

function fail(logger: Logger, error: unknown): void {
  logger.fatal({ err: error }, 'could not stop well');
  logger.flush();
  process.exit(1);
}
