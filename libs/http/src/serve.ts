import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { sleep } from '@constancia/kernel';
import { opsServerOf, startTracing, type Logger } from '@constancia/telemetry';
import { hostedWith, type DrainState } from './drain.ts';
import type { HttpConfig } from './http-config.ts';

/** How long idle connections get to send a request that is already on its way. */
const IDLE_GRACE_MS = 500;
/** How long requests under way may take to be answered; longer than the longest wait of a route (25 s). */
const IN_FLIGHT_MS = 28_000;
const POLL_MS = 20;

/**
 * Listens, and ends the process well: on SIGTERM or SIGINT readiness turns false, `drainSeconds` pass while everything is still
 * answered (each answer closing its connection), then nothing new is accepted, what is under way is answered, the app's own
 * shutdown hooks run, and the process exits 0. A second signal exits at once.
 */
export async function serve(app: NestFastifyApplication, config: HttpConfig): Promise<void> {
  const { options, drain } = hostedWith(app);
  const { logger } = options;
  const stopTracing = await startTracing({ app: options.name, endpoint: config.otlpEndpoint });
  await app.listen(config.port, config.host);
  // After the API listens: who is told "ready" here may send requests there.
  const ops = await opsServerOf(config, options);
  logger.info({ port: config.port, host: config.host, environment: config.environment }, 'listening');

  const stop = async (signal: string): Promise<void> => {
    if (drain.draining) process.exit(1);
    logger.info({ signal }, 'draining');
    ops?.draining();
    await drainHttp(app, drain, config.drainSeconds * 1000);
    await app.close();
    await stopTracing();
    await ops?.close();
    logger.info({ signal }, 'stopped');
    logger.flush();
    process.exit(0);
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
  const server = app.getHttpServer() as HttpServer;
  stopAccepting(server);
  await sleep(IDLE_GRACE_MS);
  server.closeIdleConnections();
  const deadline = Date.now() + IN_FLIGHT_MS;
  while (drain.inFlight.size > 0 && Date.now() < deadline) await sleep(POLL_MS);
  server.closeAllConnections();
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
