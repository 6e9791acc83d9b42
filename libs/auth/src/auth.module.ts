import type { ProcessConfig } from '@constancia/config';
import { Database } from '@constancia/persistence';
import {
  type DynamicModule,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Type,
} from '@nestjs/common';
import { Credentials } from './credentials.ts';

type AuthConfig = Pick<ProcessConfig, 'environment'>;

/** Provides principals by their credentials, and listens for changed credentials. */
@Module({})
export class AuthModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(private readonly credentials: Credentials) {}

  static forRoot(config: Type<AuthConfig>): DynamicModule {
    const provider = {
      provide: Credentials,
      inject: [Database, config],
      useFactory: (database: Database, { environment }: AuthConfig) => new Credentials(database, { environment }),
    };
    return { module: AuthModule, global: true, providers: [provider], exports: [provider] };
  }

  onApplicationBootstrap(): Promise<void> {
    return this.credentials.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.credentials.close();
  }
}
