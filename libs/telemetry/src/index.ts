export { FollowedValue } from './followed-value.ts';
export { createLogger, Logger } from './logger.ts';
export { ClosingLogger, NestLogger } from './nest-logger.ts';
export { Metrics, SECONDS } from './metrics.ts';
export { OPS_ROLES } from './operators.ts';
export type { Operator, OpsCaller, OpsRole } from './operators.ts';
export { timeline } from './ops-story.ts';
export type { StoryLine } from './ops-story.ts';
export { opsServer, opsServerOf } from './ops-server.ts';
export type { OpsApi, OpsPort, OpsServer, OpsServerOptions } from './ops-server.ts';
export { PeriodicWork } from './periodic-work.ts';
export { failedChecks } from './readiness.ts';
export type { ReadinessChecks } from './readiness.ts';
export { requestLines } from './request-lines.ts';
export { scrub } from './scrub.ts';
export { TelemetryModule } from './telemetry.module.ts';
export {
  annotateSpan,
  beginRequestSpan,
  currentTraceparent,
  startTracing,
  tracingEnabled,
  withSpan,
} from './tracing.ts';
export type { RequestSpan } from './tracing.ts';
export { createWorkerApp, Readiness, runWorkerApp } from './worker-app.ts';
