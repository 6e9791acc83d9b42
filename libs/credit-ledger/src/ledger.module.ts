import { ExpiredIdempotencyKeys, Idempotency, type OwnerKey } from '@constancia/idempotency';
import { SecretBox } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Logger, Metrics } from '@constancia/telemetry';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { ChargedWork } from './charged-work.ts';
import { debitsCounter } from './debits-metric.ts';

interface LedgerModuleOptions {
  /** Of the app: the one that `chargedWorkSchema` was given. */
  schema: string;
  /** What knows the keys of the persons whom stored answers are about; left out: no answer has such an owner. */
  answerKeys?: Type<{ answerKey: OwnerKey }>;
}

/** Provides chargeable work and stored answers (with the modules of persistence, secrets and telemetry); removes expired keys. */
@Module({})
export class LedgerModule {
  static forRoot({ schema, answerKeys }: LedgerModuleOptions): DynamicModule {
    const idempotency = {
      provide: Idempotency,
      inject: answerKeys ? [SecretBox, answerKeys] : [SecretBox],
      useFactory: (box: SecretBox, keys?: { answerKey: OwnerKey }) =>
        new Idempotency(schema, box, keys && ((tx, tenantId, id) => keys.answerKey(tx, tenantId, id))),
    };
    const work = {
      provide: ChargedWork,
      inject: [Database, Idempotency, Metrics],
      useFactory: (database: Database, answers: Idempotency, metrics: Metrics) =>
        new ChargedWork(database, schema, answers, debitsCounter(metrics)),
    };
    const expiredKeys = {
      provide: ExpiredIdempotencyKeys,
      inject: [Database, Logger],
      useFactory: (database: Database, logger: Logger) => new ExpiredIdempotencyKeys(database, schema, logger),
    };
    const providers = [idempotency, work, expiredKeys];
    return { module: LedgerModule, global: true, providers, exports: [idempotency, work] };
  }
}
