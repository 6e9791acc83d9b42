import type { StoresConfig } from '@constancia/config';
import { type DynamicModule, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { Database, type DatabaseOptions } from './database.ts';

type DatabaseConfig = Pick<StoresConfig, 'databaseUrl' | 'databaseDirectUrl' | 'databasePoolSize'>;

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
      useFactory: ({ databaseUrl, databaseDirectUrl, databasePoolSize }: DatabaseConfig) =>
        Database.connect({
          ...options,
          url: databaseUrl,
          directUrl: databaseDirectUrl,
          poolSize: databasePoolSize,
        }),
    };
    return { module: PersistenceModule, global: true, providers: [provider], exports: [provider] };
  }

  onApplicationShutdown(): Promise<void> {
    return this.database.close();
  }
}
