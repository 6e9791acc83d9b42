import type { StoresConfig } from '@constancia/config';
import { type DynamicModule, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { Database, type DatabaseOptions } from './database.ts';

/** APIs may have a replica. */
type DatabaseConfig = Pick<StoresConfig, 'databaseUrl' | 'databaseDirectUrl' | 'databasePoolSize'> & {
  databaseReplicaUrl?: string;
};

/** Provides the database. Start-up does not fail while the server is unavailable. */
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  static forRoot(
    config: Type<DatabaseConfig>,
    options: Pick<DatabaseOptions, 'applicationName' | 'schema' | 'entities'>,
  ): DynamicModule {
    const provider = {
      provide: Database,
      inject: [config],
      useFactory: (config: DatabaseConfig) =>
        Database.connect({
          ...options,
          url: config.databaseUrl,
          directUrl: config.databaseDirectUrl,
          replicaUrl: config.databaseReplicaUrl,
          poolSize: config.databasePoolSize,
        }),
    };
    return { module: PersistenceModule, global: true, providers: [provider], exports: [provider] };
  }

  onApplicationShutdown(): Promise<void> {
    return this.database.close();
  }
}
