import { ConfigModule, loadConfig, type ProcessConfig, runProgram } from '@constancia/config';
import { closeAll } from '@constancia/kernel';
import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Logger } from './logger.ts';
import { Metrics } from './metrics.ts';
import { ClosingLogger } from './nest-logger.ts';
import { opsServerOf } from './ops-server.ts';
import type { ReadinessChecks } from './readiness.ts';
import { startTracing } from './tracing.ts';

/** What a worker needs in order to work, provided by its module. */
export abstract class Readiness {
  abstract readonly checks: ReadinessChecks;
}

/** What main.ts of a worker says about it. The module provides Logger, Metrics and Readiness. */
export interface WorkerProgram<Config extends ProcessConfig> {
  name: string;
  config: new () => Config;
  module: Type;
}

/** A worker at work, with its configuration in place of the environment's. close() drains it. */
export function createWorkerApp(module: Type, config: ProcessConfig): Promise<INestApplicationContext> {
  @Module({ imports: [ConfigModule.forRoot(config), module] })
  class WorkerModule {}
  return NestFactory.createApplicationContext(WorkerModule, { logger: false, abortOnError: false });
}

/** Runs a worker until SIGTERM or SIGINT, upon which /readyz turns false and the worker drains; exit code 0, or 1 if a close failed. */
export function runWorkerApp<Config extends ProcessConfig>(program: WorkerProgram<Config>): Promise<void> {
  return runProgram(async () => {
    const { name } = program;
    const config = loadConfig(program.config);
    const running: { logger?: Logger } = {};
    const lostSpans = { warn: (fields: object, message: string) => running.logger?.warn(fields, message) };
    const stopTracing = await startTracing({ app: name, endpoint: config.otlpEndpoint, logger: lostSpans });
    const app = await createWorkerApp(program.module, config);
    const logger = app.get(Logger);
    running.logger = logger;
    const ops = await opsServerOf(config, { readiness: app.get(Readiness).checks, metrics: app.get(Metrics) });
    logger.info({ environment: config.environment, port: ops?.port }, `${name} started`);

    let leaving = false;
    const leave = async (signal: string): Promise<void> => {
      if (leaving) return;
      leaving = true;
      ops?.draining();
      logger.info({ signal }, `${name} drains`);
      const closing = new ClosingLogger(logger);
      app.useLogger(closing);
      await closeAll([() => app.close(), () => ops?.close(), stopTracing]);
      logger.info(`${name} stopped`);
      logger.flush();
      process.exitCode = closing.failed ? 1 : 0;
      setTimeout(() => process.exit(), EXIT_MS).unref();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void runProgram(() => leave(signal)));
  });
}

/** How long something that was left open may keep a stopped worker alive. */
const EXIT_MS = 1_000;
