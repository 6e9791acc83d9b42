export { Queues } from './queues.ts';
export { queuesOf } from './queues-of.ts';
export type { QueuesOptions, SweepWork } from './queues.ts';
export type { QueueLogger } from './queue-logger.ts';
export { migrateQueue } from './postgres-backend.ts';
export { sweepRegularly } from './sweep-regularly.ts';
export type { RegularSweep } from './sweep-regularly.ts';
