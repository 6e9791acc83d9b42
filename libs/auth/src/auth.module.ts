import type { ProcessConfig } from '@constancia/config';
import { Database } from '@constancia/persistence';
import {
  type DynamicModule,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Type,
} from '@nestjs/common';
import { ApiKeys } from './api-keys.ts';

type AuthConfig = Pick<ProcessConfig, 'environment'>;

/** Provides tenants by API key, and listens for changed keys. */
@Module({})
export class AuthModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(private readonly keys: ApiKeys) {}

  static forRoot(config: Type<AuthConfig>): DynamicModule {
    const provider = {
      provide: ApiKeys,
      inject: [Database, config],
      useFactory: (database: Database, { environment }: AuthConfig) => new ApiKeys(database, { environment }),
    };
    return { module: AuthModule, global: true, providers: [provider], exports: [provider] };
  }

  onApplicationBootstrap(): Promise<void> {
    return this.keys.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.keys.close();
  }
}
