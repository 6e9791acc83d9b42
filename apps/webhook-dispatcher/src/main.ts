import { ConfigInvalid, loadConfig } from '@constancia/config';
import { createLogger, opsServer, startTracing } from '@constancia/telemetry';
import { startDispatcher } from './app.ts';
import { DispatcherConfig } from './config.ts';

const config = configuration();
const logger = createLogger({ app: 'webhook-dispatcher', level: config.logLevel });
const stopTracing = await startTracing({ app: 'webhook-dispatcher', endpoint: config.otlpEndpoint });
const dispatcher = await startDispatcher(config, logger);
const { readiness, metrics } = dispatcher;
const ops =
  config.opsPort === 0 ? undefined : await opsServer({ port: config.opsPort, host: config.host, readiness, metrics });
logger.info({ environment: config.environment, port: ops?.port }, 'webhook-dispatcher started');

let leaving = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (leaving) return;
    leaving = true;
    ops?.draining();
    logger.info({ signal }, 'webhook-dispatcher drains');
    void dispatcher
      .close()
      .then(() => Promise.all([ops?.close(), stopTracing()]))
      .then(() => {
        logger.info('webhook-dispatcher stopped');
        logger.flush();
        process.exitCode = 0;
        setTimeout(() => process.exit(), 1_000).unref();
      });
  });
}

/** Says what is wrong with the environment, one line each, and nothing of Node's own. */
function configuration(): DispatcherConfig {
  try {
    return loadConfig(DispatcherConfig);
  } catch (error) {
    console.error(error instanceof ConfigInvalid ? error.message : error);
    process.exit(1);
  }
}
