import { PdfPool } from '@constancia/pdf-sealing';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { SigningConfig } from './config.ts';
import { DryRun } from './dry-run.ts';
import { PdfStore } from './pdf-store.ts';

/** The PDFs of this module: where they are kept, and the child processes that read and draw them. */
@Module({
  providers: [
    PdfStore,
    DryRun,
    {
      provide: PdfPool,
      inject: [SigningConfig],
      useFactory: ({ inspectionProcesses, inspectionMemoryMb, inspectionDeadlineMs }: SigningConfig) =>
        new PdfPool({
          processes: inspectionProcesses,
          memoryMb: inspectionMemoryMb,
          deadlineMs: inspectionDeadlineMs,
        }),
    },
  ],
  exports: [PdfStore, PdfPool, DryRun],
})
export class PdfsModule implements OnApplicationShutdown {
  constructor(private readonly pdfs: PdfPool) {}

  onApplicationShutdown(): Promise<void> {
    return this.pdfs.close();
  }
}
