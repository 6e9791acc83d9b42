import { Logger } from '@constancia/telemetry';
import { Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { remoteEngines } from './aws/remote-engines.ts';
import { BiometricsConfig } from './config.ts';
import { ChildEngines, processesOfThisMachine } from './engines/child-engines.ts';
import { EnginePool } from './engines/engine-pool.ts';

const engines = {
  provide: EnginePool,
  inject: [BiometricsConfig],
  useFactory: (config: BiometricsConfig): EnginePool =>
    config.engine === 'aws'
      ? remoteEngines(config)
      : new ChildEngines({ processes: config.processes ?? processesOfThisMachine(), memoryMb: config.memoryMb }),
};

/** Provides the engines that the configuration names. */
@Module({ providers: [engines], exports: [engines] })
export class EnginesModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly engines: EnginePool,
    private readonly logger: Logger,
  ) {}

  /** Not awaited: what does not start now is started by the first job. */
  onApplicationBootstrap(): void {
    void this.engines.start().catch((error: unknown) => this.logger.error({ error }, 'an engine does not start'));
  }

  onApplicationShutdown(): Promise<void> {
    return this.engines.close();
  }
}
