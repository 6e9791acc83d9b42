import { ArchiveActions, HistoryArchive } from '@constancia/archives';
import { OpsModule } from '@constancia/http';
import { Module } from '@nestjs/common';
import { TrailArchives } from './trail-archives.ts';

/** Trails of envelopes that ended long ago, as files in the object store. */
@Module({
  imports: [OpsModule],
  controllers: [ArchiveActions],
  providers: [TrailArchives, { provide: HistoryArchive, useExisting: TrailArchives }],
  exports: [TrailArchives],
})
export class TrailArchiveModule {}
