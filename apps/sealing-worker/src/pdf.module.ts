import { PdfPool } from '@constancia/pdf-sealing';
import { Logger } from '@constancia/telemetry';
import { Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SealingConfig } from './config.ts';

const pool = { provide: PdfPool, inject: [SealingConfig], useFactory: (config: SealingConfig) => new PdfPool(config) };

/** Provides the processes that draw on PDFs. */
@Module({ providers: [pool], exports: [pool] })
export class PdfModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly pdfs: PdfPool,
    private readonly logger: Logger,
  ) {}

  /** Not awaited: what does not start now is started by the first document. */
  onApplicationBootstrap(): void {
    const log = (error: unknown) => this.logger.error({ error }, 'a process that draws on PDFs does not start');
    void this.pdfs.start().catch(log);
  }

  onApplicationShutdown(): Promise<void> {
    return this.pdfs.close();
  }
}
