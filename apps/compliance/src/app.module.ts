import { ChargedWork } from '@constancia/credit-ledger';
import { Database } from '@constancia/persistence';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ComplianceConfig } from './config.ts';
import { ListImports } from './lists/list-imports.ts';
import { Lists } from './lists/lists.ts';
import { ListsModule } from './lists/lists.module.ts';
import { Replay } from './screenings/replay.ts';
import { Screen } from './screenings/screen.ts';
import type { ScreeningParts } from './screenings/screening-parts.ts';
import { Screenings } from './screenings/screenings.ts';
import { ScreeningsModule } from './screenings/screenings.module.ts';
import { PutSettings } from './settings/put-settings.ts';
import { ShowSettings } from './settings/show-settings.ts';
import { CompiledValidations } from './validations/compiled-validations.ts';
import { Validations } from './validations/validations.ts';
import { ValidationsModule } from './validations/validations.module.ts';

/** What the features may ask for; made once, in app.ts. */
export interface ComplianceParts {
  config: ComplianceConfig;
  database: Database;
  work: ChargedWork;
  lists: Lists;
  imports: ListImports;
  screening: ScreeningParts;
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
      { provide: Lists, useValue: parts.lists },
      { provide: ListImports, useValue: parts.imports },
      { provide: Validations, useValue: parts.screening?.validations },
      { provide: CompiledValidations, useValue: parts.screening?.compiled },
      { provide: Screenings, useValue: parts.screening?.screenings },
      { provide: Screen, useValue: parts.screening?.screen },
      { provide: Replay, useValue: parts.screening?.replay },
    ];
    const shared: DynamicModule = { module: CompliancePartsModule, providers, exports: providers };
    return { module: ComplianceModule, imports: [shared, SettingsModule, ListsModule, ValidationsModule, ScreeningsModule] };
  }
}
