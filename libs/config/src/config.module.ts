import { type DynamicModule, Module } from '@nestjs/common';
import type { ProcessConfig } from './process-config.ts';

/**
 * Provides the configuration of the process to every module, under the class that it was loaded as. The modules of the kits are
 * given that class, and read their settings from it: `StorageModule.forRoot(SigningConfig)`.
 */
@Module({})
export class ConfigModule {
  static forRoot(config: ProcessConfig): DynamicModule {
    const provider = { provide: config.constructor, useFactory: () => config };
    return { module: ConfigModule, global: true, providers: [provider], exports: [provider] };
  }
}
