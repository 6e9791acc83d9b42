/** A dispatcher as a process of its own, for the tests that kill it. Configuration: JSON in the first argument. */
import { createLogger } from '@constancia/telemetry';
import { startDispatcher } from './app.ts';
import type { DispatcherConfig } from './config.ts';

const config = JSON.parse(process.argv[2] as string) as DispatcherConfig;
const dispatcher = await startDispatcher(config, createLogger({ app: 'webhook-dispatcher', level: 'silent' }));
process.on('SIGTERM', () => void dispatcher.close().then(() => process.exit(0)));
process.send?.('ready');
