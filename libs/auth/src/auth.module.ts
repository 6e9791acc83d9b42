import type { ProcessConfig } from '@constancia/config';
import { Database } from '@constancia/persistence';
import { Logger, Metrics } from '@constancia/telemetry';
import {
  type DynamicModule,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Type,
} from '@nestjs/common';
import { Credentials } from './credentials.ts';
import { KeyUses } from './key-uses.ts';

type AuthConfig = Pick<ProcessConfig, 'environment'>;

/** Provides principals by their credentials, and listens for changed credentials. */
@Module({})
export class AuthModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(private readonly credentials: Credentials) {}

  static forRoot(config: Type<AuthConfig>): DynamicModule {
    const uses = {
      provide: KeyUses,
      inject: [Database, Logger, Metrics],
      useFactory: (database: Database, logger: Logger, metrics: Metrics) => new KeyUses(database, { logger, metrics }),
    };
    const credentials = {
      provide: Credentials,
      inject: [Database, config, KeyUses],
      useFactory: (database: Database, { environment }: AuthConfig, seen: KeyUses) =>
        new Credentials(database, { environment, seen }),
    };
    return { module: AuthModule, global: true, providers: [uses, credentials], exports: [uses, credentials] };
  }

  onApplicationBootstrap(): Promise<void> {
    return this.credentials.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.credentials.close();
  }
}
