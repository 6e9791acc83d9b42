import 'reflect-metadata';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestLogger } from '@constancia/telemetry';
import { registerLifecycle } from './app-parts.ts';
import { registerApiDocs } from './api-docs.ts';
import { BodyMemory } from './body-memory.ts';
import { registerBodyParsers } from './body-parsers.ts';
import { registerDocumentPages } from './document-pages.ts';
import { DrainState } from './drain.ts';
import { bindContext } from './hosted-app.ts';
import { registerHealth } from './health.ts';
import { HttpOptions } from './http-options.ts';
import { handleClientErrors, createServer } from './http-server.ts';
import { registerPageHost } from './page-host.ts';
import { PageListener } from './page-listener.ts';
import { ProblemFilter } from './problem-filter.ts';
import { registerProblemPages } from './problem-pages.ts';
import { registerRequestHooks } from './request-hooks.ts';
import { RequestPipe } from './validation/request-pipe.ts';

/**
 * Builds an app that answers HTTP as the contract says everywhere: request ids, security headers, authentication, rate limits,
 * bounded bodies, validation, problem documents, one log line and one measurement per request, /livez and /readyz.
 * Call `serve` to run it, or `init` and `inject` in tests.
 *
 * @param module brings the routes, and provides HttpOptions unless they are given
 */
export async function createHttpApp(
  module: Type | DynamicModule,
  given?: HttpOptions,
): Promise<NestFastifyApplication> {
  const server = createServer(() => filter);
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(server as never), {
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
  });
  const options = given ?? app.get<HttpOptions, HttpOptions>(HttpOptions);
  app.useLogger(new NestLogger(options.logger));
  const baseUrl = options.config.baseUrl.replace(/\/+$/, '');
  const drain = new DrainState();
  const filter = new ProblemFilter(baseUrl, options.logger, drain);
  handleClientErrors(server.server, server, filter);
  const memory = new BodyMemory(options.config.maxBodyMemoryMb * 1024 * 1024);
  options.metrics.gauge('http_body_bytes_held', 'Bytes of large request bodies in memory', [], (gauge) =>
    gauge.set(memory.heldBytes),
  );
  // Nest registers its routes when it is initialised: these hooks and parsers come before them.
  await registerRequestHooks(server, options, { drain, memory });
  registerBodyParsers(server, memory);
  registerLifecycle(server, options.parts ?? {});
  await server.register(async (own) => {
    // Nest sets its error handler later, and Fastify gives it to later routes only: these bring the filter themselves.
    own.setErrorHandler((error, request, reply) => filter.answer(error, request, reply));
    registerHealth(own, options, drain);
    if (options.openapiFile !== undefined) {
      registerApiDocs(own, { name: options.name, file: options.openapiFile, assetsDir: options.config.assetsDir });
    }
    if (options.problemPages) registerProblemPages(own, baseUrl);
    registerDocumentPages(own, options.documentPages ?? []);
    if (options.pageHost !== undefined) registerPageHost(own, options.pageHost);
  });
  const pages = options.pageHost === undefined ? undefined : new PageListener(server, filter);
  app.useGlobalFilters(filter);
  app.useGlobalPipes(new RequestPipe());
  bindContext(app, { options, drain, pages });
  return app;
}
