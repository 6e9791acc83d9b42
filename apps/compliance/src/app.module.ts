import { ChargedWork } from '@constancia/credit-ledger';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CasesModule } from './cases/cases.module.ts';
import { ComplianceConfig } from './config.ts';
import { BlockedData } from './erasures/blocked-data.ts';
import { Erasure } from './erasures/erasure.ts';
import { ErasuresModule } from './erasures/erasures.module.ts';
import { CaseNotices } from './cases/case-notices.ts';
import { ListImports } from './lists/list-imports.ts';
import { Lists } from './lists/lists.ts';
import { ListsModule } from './lists/lists.module.ts';
import { OperatorsModule } from './ops/operators.module.ts';
import { RulesModule } from './rules/rules.module.ts';
import { Replay } from './screenings/replay.ts';
import { Screen } from './screenings/screen.ts';
import type { ScreeningParts } from './screenings/screening-parts.ts';
import { Screenings } from './screenings/screenings.ts';
import { ScreeningsModule } from './screenings/screenings.module.ts';
import { PutSettings } from './settings/put-settings.ts';
import { ShowSettings } from './settings/show-settings.ts';
import { Backtest } from './backtests/backtest.ts';
import { BacktestsModule } from './backtests/backtests.module.ts';
import { CompiledValidations } from './validations/compiled-validations.ts';
import { Validations } from './validations/validations.ts';
import { ValidationsModule } from './validations/validations.module.ts';

/** What the features may ask for; made once, in app.ts. */
export interface ComplianceParts extends ScreeningParts {
  config: ComplianceConfig;
  database: Database;
  personal: PersonalData;
  work: ChargedWork;
  lists: Lists;
  imports: ListImports;
  backtest: Backtest;
  caseNotices: CaseNotices;
  erasure: Erasure;
  blocked: BlockedData;
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
      { provide: PersonalData, useValue: parts.personal },
      { provide: ChargedWork, useValue: parts.work },
      { provide: Lists, useValue: parts.lists },
      { provide: ListImports, useValue: parts.imports },
      { provide: Validations, useValue: parts.validations },
      { provide: CompiledValidations, useValue: parts.compiled },
      { provide: Screenings, useValue: parts.screenings },
      { provide: Screen, useValue: parts.screen },
      { provide: CaseNotices, useValue: parts.caseNotices },
      { provide: Erasure, useValue: parts.erasure },
      { provide: BlockedData, useValue: parts.blocked },
      { provide: Replay, useValue: parts.replay },
      { provide: Backtest, useValue: parts.backtest },
    ];
    const shared: DynamicModule = { module: CompliancePartsModule, providers, exports: providers };
    return {
      module: ComplianceModule,
      imports: [
        shared,
        SettingsModule,
        CasesModule,
        ListsModule,
        ValidationsModule,
        RulesModule,
        BacktestsModule,
        ScreeningsModule,
        ErasuresModule,
        OperatorsModule,
      ],
    };
  }
}
