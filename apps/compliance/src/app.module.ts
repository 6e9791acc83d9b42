import { ChargedWork } from '@constancia/credit-ledger';
import { Database } from '@constancia/persistence';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ComplianceConfig } from './config.ts';
import { PutSettings } from './settings/put-settings.ts';
import { ShowSettings } from './settings/show-settings.ts';

/** What the features may ask for; made once, in app.ts. */
export interface ComplianceParts {
  config: ComplianceConfig;
  database: Database;
  work: ChargedWork;
}

@Global()
@Module({})
export class CompliancePartsModule {}

@Module({ controllers: [ShowSettings, PutSettings] })
export class SettingsModule {}

@Module({})
export class ComplianceModule {
  static of(parts: ComplianceParts): DynamicModule {
    const providers = [
      { provide: ComplianceConfig, useValue: parts.config },
      { provide: Database, useValue: parts.database },
      { provide: ChargedWork, useValue: parts.work },
    ];
    const shared: DynamicModule = { module: CompliancePartsModule, providers, exports: providers };
    return { module: ComplianceModule, imports: [shared, SettingsModule] };
  }
}
