import { ConfigInvalid, loadConfig } from '@constancia/config';
import { createLogger, opsServer, startTracing } from '@constancia/telemetry';
import { startSealingWorker } from './app.ts';
import { SealingConfig } from './config.ts';

const config = configuration();
const logger = createLogger({ app: 'sealing-worker', level: config.logLevel });
const stopTracing = await startTracing({ app: 'sealing-worker', endpoint: config.otlpEndpoint });
const worker = await startSealingWorker(config, logger);
const { readiness, metrics } = worker;
const ops =
  config.opsPort === 0 ? undefined : await opsServer({ port: config.opsPort, host: config.host, readiness, metrics });
logger.info({ environment: config.environment, port: ops?.port }, 'sealing-worker started');

let leaving = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (leaving) return;
    leaving = true;
    ops?.draining();
    logger.info({ signal }, 'sealing-worker drains');
    void worker
      .close()
      .then(() => Promise.all([ops?.close(), stopTracing()]))
      .then(() => {
        logger.info('sealing-worker stopped');
        logger.flush();
        process.exitCode = 0;
        setTimeout(() => process.exit(), 1_000).unref();
      });
  });
}

/** Says what is wrong with the environment, one line each, and nothing of Node's own. */
function configuration(): SealingConfig {
  try {
    return loadConfig(SealingConfig);
  } catch (error) {
    console.error(error instanceof ConfigInvalid ? error.message : error);
    process.exit(1);
  }
}
