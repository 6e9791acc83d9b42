import { PdfPool, PdfPoolBusy, SealingFailure } from '@constancia/pdf-sealing';
import { DependencyUnavailable } from '@constancia/problem-json';
import { Module, type OnApplicationShutdown } from '@nestjs/common';

/** One child process, started with the first PDF: people attach files, and print cases, one at a time. */
const POOL = { processes: 1, memoryMb: 512, deadlineMs: 20_000, waiting: 8 };

/** The child process that reads PDFs of strangers and draws those of this module. */
@Module({
  providers: [{ provide: PdfPool, useFactory: () => new PdfPool(POOL) }],
  exports: [PdfPool],
})
export class PdfsModule implements OnApplicationShutdown {
  constructor(private readonly pdfs: PdfPool) {}

  onApplicationShutdown(): Promise<void> {
    return this.pdfs.close();
  }
}

/** What the child process answers. Throws DependencyUnavailable when it is busy with others, or does not start. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PdfPoolBusy) && !(error instanceof SealingFailure)) throw error;
    throw new DependencyUnavailable('PDFs cannot be processed at present: send it again.', {}, {}, error);
  }
}
