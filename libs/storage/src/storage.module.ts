import { type DynamicModule, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { ObjectStore } from './object-store.ts';
import { objectStore, type StorageConfig } from './store-of-config.ts';

/** Provides the object store. */
@Module({})
export class StorageModule implements OnApplicationShutdown {
  constructor(private readonly objects: ObjectStore) {}

  static forRoot(config: Type<StorageConfig>): DynamicModule {
    const provider = { provide: ObjectStore, inject: [config], useFactory: objectStore };
    return { module: StorageModule, global: true, providers: [provider], exports: [provider] };
  }

  onApplicationShutdown(): Promise<void> {
    return this.objects.close();
  }
}
