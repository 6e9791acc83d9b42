import { ExpiredIdempotencyKeys } from '@constancia/idempotency';
import { Logger } from '@constancia/telemetry';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { PlatformConfig } from '../config.ts';
import { IdentityDatabase } from './identity-database.ts';
import { IDENTITY_TABLES } from './tables.ts';

/** Provides the store of the schema identity; removes its expired Idempotency-Keys. */
@Module({
  providers: [
    {
      provide: IdentityDatabase,
      inject: [PlatformConfig],
      useFactory: (config: PlatformConfig) =>
        IdentityDatabase.connect({
          url: config.identityDatabaseUrl,
          directUrl: config.identityDatabaseDirectUrl,
          replicaUrl: config.identityDatabaseReplicaUrl,
          poolSize: config.databasePoolSize,
          applicationName: 'identity',
          schema: 'identity',
          entities: IDENTITY_TABLES,
        }),
    },
    {
      provide: ExpiredIdempotencyKeys,
      inject: [IdentityDatabase, Logger],
      useFactory: (database: IdentityDatabase, logger: Logger) =>
        new ExpiredIdempotencyKeys(database, 'identity', logger),
    },
  ],
  exports: [IdentityDatabase],
})
export class IdentityStoreModule implements OnApplicationShutdown {
  constructor(private readonly database: IdentityDatabase) {}

  onApplicationShutdown(): Promise<void> {
    return this.database.close();
  }
}
