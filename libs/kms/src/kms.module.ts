import type { DataKeysConfig } from '@constancia/config';
import { type DynamicModule, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { DataKeys } from './data-keys.ts';

/** Provides the data keys of KMS. */
@Module({})
export class KmsModule implements OnApplicationShutdown {
  constructor(private readonly dataKeys: DataKeys) {}

  static forRoot(config: Type<DataKeysConfig>): DynamicModule {
    const provider = {
      provide: DataKeys,
      inject: [config],
      useFactory: ({ dataKeyId, awsRegion, kmsEndpoint }: DataKeysConfig) =>
        new DataKeys(dataKeyId, { region: awsRegion, endpoint: kmsEndpoint }),
    };
    return { module: KmsModule, global: true, providers: [provider], exports: [provider] };
  }

  onApplicationShutdown(): void {
    this.dataKeys.close();
  }
}
