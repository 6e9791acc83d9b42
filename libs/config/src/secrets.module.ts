import { SecretBox } from '@constancia/kernel';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { SecretsKeyConfig } from './mixins.ts';

/** Provides what seals secrets at rest, with SECRETS_KEY. */
@Module({})
export class SecretsModule {
  static forRoot(config: Type<SecretsKeyConfig>): DynamicModule {
    const provider = {
      provide: SecretBox,
      inject: [config],
      useFactory: (settings: SecretsKeyConfig) => SecretBox.ofSecret(settings),
    };
    return { module: SecretsModule, global: true, providers: [provider], exports: [provider] };
  }
}
