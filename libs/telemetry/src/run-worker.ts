import { loadConfig, type ProcessConfig, runProgram } from '@constancia/config';
import { closeAll } from '@constancia/kernel';
import { createLogger, type Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { opsServerOf } from './ops-server.ts';
import type { ReadinessChecks } from './readiness.ts';
import { startTracing } from './tracing.ts';

/** A worker at work. */
export interface RunningWorker {
  readiness: ReadinessChecks;
  metrics: Metrics;
  /** Begins nothing more, ends what is in hand, lets everything go. */
  close(): Promise<void>;
}

/** What main.ts of a worker says about it. */
export interface WorkerProgram<Config extends ProcessConfig> {
  name: string;
  config: new () => Config;
  start(config: Config, logger: Logger): Promise<RunningWorker>;
}

/** Runs a worker until SIGTERM or SIGINT, upon which /readyz turns false and the worker closes; exit code 0. */
export function runWorker<Config extends ProcessConfig>(program: WorkerProgram<Config>): Promise<void> {
  return runProgram(async () => {
    const { name } = program;
    const config = loadConfig(program.config);
    const logger = createLogger({ app: name, level: config.logLevel });
    const stopTracing = await startTracing({ app: name, endpoint: config.otlpEndpoint, logger });
    const worker = await program.start(config, logger);
    const ops = await opsServerOf(config, worker);
    logger.info({ environment: config.environment, port: ops?.port }, `${name} started`);

    let leaving = false;
    const leave = async (signal: string): Promise<void> => {
      if (leaving) return;
      leaving = true;
      ops?.draining();
      logger.info({ signal }, `${name} drains`);
      await closeAll([() => worker.close(), () => ops?.close(), stopTracing]);
      logger.info(`${name} stopped`);
      logger.flush();
      process.exitCode = 0;
      setTimeout(() => process.exit(), EXIT_MS).unref();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void runProgram(() => leave(signal)));
  });
}

/** How long something that was left open may keep a stopped worker alive. */
const EXIT_MS = 1_000;
