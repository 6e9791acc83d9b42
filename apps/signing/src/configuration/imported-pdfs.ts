import { createHash } from 'node:crypto';
import { PdfPool, type Placeholder, type TemplateReport } from '@constancia/pdf-sealing';
import type { FieldError } from '@constancia/problem-json';
import type { ConfigurationFile } from '@constancia/tenant-export';
import { Injectable } from '@nestjs/common';
import { PDF_LIMIT_BYTES, pdfErrors } from '../pdf-body.ts';
import { inspected } from '../pdf-reading.ts';
import { PdfStore } from '../pdf-store.ts';

export const SHA256 = /^[0-9a-f]{64}$/;

/** A PDF of an archive that was inspected and stored, as an upload is. */
export interface ImportedPdf extends TemplateReport {
  pdf: Buffer;
  sha256: Buffer;
  key: string;
}

interface WantedPdf {
  tenantId: string;
  folder: 'templates' | 'circuits';
  /** Hex. */
  sha256: string;
  placeholders: readonly Placeholder[];
}

/** The PDFs that templates and circuits name by their SHA-256. */
@Injectable()
export class ImportedPdfs {
  constructor(
    private readonly store: PdfStore,
    private readonly pool: PdfPool,
  ) {}

  /** Looks at a PDF of the archive as an upload does; `keep` stores it then. Answers what is wrong with it. */
  async inspect(
    { tenantId, folder, sha256, placeholders }: WantedPdf,
    files: ReadonlyMap<string, Buffer>,
  ): Promise<ImportedPdf | FieldError[]> {
    const pdf = files.get(pathOf(sha256));
    const wrong = (code: string, detail: string) => [{ pointer: '/pdf_sha256', code, detail }];
    if (!pdf) return wrong('required', `The archive has no ${pathOf(sha256)}.`);
    if (pdf.length > PDF_LIMIT_BYTES) return wrong('too_long', 'The PDF has more than 25 MB.');
    const digest = createHash('sha256').update(pdf).digest();
    if (digest.toString('hex') !== sha256) return wrong('wrong_digest', 'The PDF has another SHA-256.');
    const [error] = pdfErrors(pdf);
    if (error) return wrong(error.code, error.detail);
    const report = await inspected(this.pool, pdf, placeholders);
    return { ...report, pdf, sha256: digest, key: `${folder}/${tenantId}/${sha256}.pdf` };
  }

  keep({ key, pdf }: ImportedPdf): Promise<void> {
    return this.store.put(key, pdf);
  }

  async open({ key }: ConfigurationFile): Promise<AsyncIterable<Buffer>> {
    return (await this.store.stream(key)).body;
  }
}

export const pathOf = (sha256: string): string => `pdfs/${sha256}.pdf`;
