import { SUBJECT_ERASED } from '@constancia/contracts';
import { closeAll } from '@constancia/kernel';
import { CachedDataKeys, DataKeys } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { queuesOf, workOnLeases } from '@constancia/queue';
import { objectStore } from '@constancia/storage';
import { type Logger, Metrics, type RunningWorker } from '@constancia/telemetry';
import { remoteEngines } from './aws/remote-engines.ts';
import { CarryOut } from './carry-out.ts';
import type { BiometricsConfig } from './config.ts';
import { ChildEngines, processesOfThisMachine } from './engines/child-engines.ts';
import type { EngineRoom } from './engines/engine-room.ts';
import { BiometricsMetrics } from './metrics.ts';
import { LEASE_SECONDS, StepRuns } from './step-runs.ts';
import { SubjectMaterial } from './subject-material.ts';

const SWEEP_EVERY_MS = 2_000;
const HINTS_AT_ONCE = 16;

/** Starts the work on identity steps: hints wake it at once, the sweep wakes it for what no hint did. */
export async function startBiometricsWorker(
  config: BiometricsConfig,
  logger: Logger,
  engines: EngineRoom = engineRoomOf(config),
): Promise<RunningWorker> {
  const database = await Database.connect({
    url: config.databaseUrl,
    applicationName: 'biometrics-worker',
    poolSize: config.databasePoolSize,
  });
  const metrics = new Metrics({ app: 'biometrics-worker', runtime: true });
  const objects = objectStore(config);
  const dataKeys = new DataKeys(config.dataKeyId, { region: config.awsRegion, endpoint: config.kmsEndpoint });
  const keys = new CachedDataKeys(dataKeys);
  const erasures = await database.listen(SUBJECT_ERASED, (subjectId) => keys.forget(subjectId));
  const runs = new StepRuns(database);
  const stepMetrics = new BiometricsMetrics(metrics, () => runs.backlog());
  const material = new SubjectMaterial({ database, objects, keys });
  const carryOut = new CarryOut({
    runs,
    material,
    engines,
    metrics: stepMetrics,
    logger,
    deadlineMs: config.deadlineMs,
  });
  const queues = queuesOf('biometrics-worker', config, { logger, metrics });

  void engines.start().catch((error: unknown) => logger.error({ error }, 'an engine does not start'));
  const working = workOnLeases(queues, {
    queue: 'step-run',
    hintsAtOnce: HINTS_AT_ONCE,
    sweepEveryMs: SWEEP_EVERY_MS,
    store: runs,
    leaseSeconds: LEASE_SECONDS,
    carryOut: (run) => carryOut.run(run),
    places: engines.places,
    drainMs: config.drainSeconds * 1_000,
    logger,
  });
  return {
    metrics,
    // The queue is no part of it: without it the worker goes by its own clock.
    readiness: { database: () => database.ping(), storage: () => objects.ping() },
    close: () =>
      closeAll([
        () => working.close(),
        () => engines.close(),
        () => erasures.close(),
        () => keys.clear(),
        () => dataKeys.close(),
        () => objects.close(),
        () => database.close(),
      ]),
  };
}

function engineRoomOf(config: BiometricsConfig): EngineRoom {
  if (config.engine === 'aws') return remoteEngines(config);
  return new ChildEngines({
    processes: config.processes ?? processesOfThisMachine(),
    memoryMb: config.memoryMb,
  });
}
