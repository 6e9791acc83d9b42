import { OpsModule } from '@constancia/http';
import { type DynamicModule, Module, type ModuleMetadata, type Type } from '@nestjs/common';
import { ArchiveActions } from './archive-actions.ts';
import { Histories } from './histories.ts';
import type { HistoryArchive } from './history-archive.ts';

/** What operators do with the files of the old history that this process archives. */
@Module({})
export class ArchivesModule {
  /** `imports`: the modules that export these archives. */
  static of(archives: Type<HistoryArchive>[], imports: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    const useFactory = (...all: HistoryArchive[]) => new Histories(all);
    return {
      module: ArchivesModule,
      imports: [OpsModule, ...imports],
      controllers: [ArchiveActions],
      providers: [{ provide: Histories, inject: archives, useFactory }],
    };
  }
}
