import { DataKeys } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { Logger } from '@constancia/telemetry';
import { type DynamicModule, Module } from '@nestjs/common';
import { PersonalData } from './personal-data.ts';
import { SealingSweep, type SealingSweepOptions } from './sealing-sweep.ts';

interface PersonalDataModuleOptions {
  /** Of the app: the one that `personalDataSchema` was given. */
  schema: string;
  /** What the sealing sweep of this process seals; left out: no sweep. */
  tables?: SealingSweepOptions['tables'];
}

/** Provides the keys of personal data (from the modules of persistence and KMS), and runs the sealing sweep. */
@Module({})
export class PersonalDataModule {
  static forRoot({ schema, tables }: PersonalDataModuleOptions): DynamicModule {
    const personal = {
      provide: PersonalData,
      inject: [Database, DataKeys],
      useFactory: (database: Database, dataKeys: DataKeys) => new PersonalData({ schema, database, dataKeys }),
    };
    const sweep = tables && {
      provide: SealingSweep,
      inject: [Database, PersonalData, Logger],
      useFactory: (database: Database, personal: PersonalData, logger: Logger) =>
        new SealingSweep({ schema, database, personal, logger, tables }),
    };
    const providers = sweep ? [personal, sweep] : [personal];
    return { module: PersonalDataModule, global: true, providers, exports: [personal] };
  }
}
