import type { ArchiveKeyConfig } from '@constancia/config';
import { SigningKms } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { type DynamicModule, Injectable, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { ArchiveKeys } from './archive-keys.ts';

/** Archives are signed by a person's command, a file at a time. */
const SIGNATURES_PER_SECOND = 5;

@Injectable()
class ArchiveKms extends SigningKms implements OnApplicationShutdown {
  onApplicationShutdown(): void {
    this.close();
  }
}

/** Provides the keys of a module's archives. */
@Module({})
export class ArchiveKeysModule {
  static forRoot(config: Type<ArchiveKeyConfig>, { schema }: { schema: string }): DynamicModule {
    const kms = {
      provide: ArchiveKms,
      inject: [config],
      useFactory: ({ awsRegion: region, kmsEndpoint: endpoint }: ArchiveKeyConfig) =>
        new ArchiveKms({ region, endpoint, maxPerSecond: SIGNATURES_PER_SECOND }),
    };
    const keys = {
      provide: ArchiveKeys,
      inject: [config, Database, ArchiveKms],
      useFactory: ({ archiveKeyId: keyId }: ArchiveKeyConfig, database: Database, kms: ArchiveKms) =>
        new ArchiveKeys({ schema, database, kms, keyId }),
    };
    return { module: ArchiveKeysModule, global: true, providers: [kms, keys], exports: [keys] };
  }
}
