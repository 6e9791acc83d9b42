import 'reflect-metadata';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { NestLogger } from '@constancia/telemetry';
import { registerApiDocs } from '../pages/api-docs.ts';
import { BodyMemory } from '../body/body-memory.ts';
import { registerBodyParsers } from '../body/body-parsers.ts';
import { registerDocumentPages } from '../pages/document-pages.ts';
import { RequestLog } from '../answers/request-log.ts';
import { consoleOriginOf } from '../answers/cross-origin.ts';
import { securityHeaders } from '../answers/security-headers.ts';
import { Admission } from '../admission/admission.ts';
import { RequestLimits } from '../admission/request-limits.ts';
import { ReadBudget } from '../admission/read-budget.ts';
import { PAGE_HOSTS } from '../routes/hosts.ts';
import { registerRawRoutes } from '../routes/raw-routes.ts';
import { RouteTable } from '../routes/route-table.ts';
import { DrainState } from '../answers/drain.ts';
import { registerHealth } from './health.ts';
import { HttpOptions } from '../http-options.ts';
import { handleClientErrors, createServer } from './http-server.ts';
import { registerPageHosts } from '../pages/page-host.ts';
import { PageListener } from './page-listener.ts';
import { ProblemFilter } from '../answers/problem-filter.ts';
import { registerProblemPages } from '../pages/problem-pages.ts';
import { registerRequestHooks } from './request-hooks.ts';
import type { ServerContext } from './server-context.ts';
import { StaleReads } from '../request/stale-reads.ts';
import { RequestPipe } from '../validation/request-pipe.ts';

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
  registerRequestHooks(server);
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
  // Nest registers its routes when it is initialised: these parsers come before them.
  server.decorate('constancia', {
    options,
    drain,
    memory,
    routes: new RouteTable(),
    ...admissionOf(options),
    staleReads: new StaleReads(options.metrics, options.logger),
    headers: await securityHeaders(options.pageHosts),
    consoleOrigin: consoleOriginOf(options.config),
    requestLog: new RequestLog(options.name, options.logger, options.metrics),
    pages: pageListeners(options, server, filter),
  });
  registerBodyParsers(server, memory);
  await server.register(async (own) => {
    // Nest sets its error handler later, and Fastify gives it to later routes only: these bring the filter themselves.
    own.setErrorHandler((error, request, reply) => filter.answer(error, request, reply));
    registerHealth(own, options, drain);
    if (options.openapiFile !== undefined) {
      registerApiDocs(own, { name: options.name, file: options.openapiFile, assetsDir: options.config.assetsDir });
    }
    if (options.problemPages) registerProblemPages(own, baseUrl);
    registerDocumentPages(own, options.documentPages ?? []);
    registerPageHosts(own, options.pageHosts ?? {});
    registerRawRoutes(own, options.rawRoutes ?? []);
  });
  app.useGlobalFilters(filter);
  app.useGlobalPipes(new RequestPipe());
  return app;
}

/** A listener for each page host of an app. */
function pageListeners(
  { pageHosts = {} }: HttpOptions,
  server: FastifyInstance,
  filter: ProblemFilter,
): ServerContext['pages'] {
  const names = PAGE_HOSTS.filter((name) => pageHosts[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, new PageListener(server, filter, name)]));
}

/** The limits of an app, as they are configured. */
function admissionOf(options: HttpOptions): Pick<ServerContext, 'admission' | 'readBudget'> {
  const { config, limiter, metrics } = options;
  const limited = metrics.counter('rate_limited_total', 'Requests refused by a rate limit', ['policy']);
  const limits = {
    tenant: config.rateLimitTenant,
    tenantTotal: config.rateLimitTenantTotal ?? 10 * config.rateLimitTenant,
    ip: config.rateLimitIp,
    wrongKey: config.rateLimitWrongKey,
  };
  const refused = (policy: string) => limited.inc({ policy });
  return {
    admission: new Admission(options, new RequestLimits(limits, options.policies ?? [], limiter, refused)),
    readBudget: new ReadBudget(limiter, config.readBudgetSeconds, refused),
  };
}
