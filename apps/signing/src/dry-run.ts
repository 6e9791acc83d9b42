import { PdfPool, type PlacedDrawing, SealingFailure } from '@constancia/pdf-sealing';
import { ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { Circuit } from './circuits/circuit.entity.ts';
import { readersUnavailable } from './pdf-reading.ts';
import { PdfStore } from './pdf-store.ts';

const OF_THE_VALUES = new Set(['text_overflow', 'unsupported_text', 'invalid_image']);

type BasePdf = { [Column in 'base_pdf_key' | 'base_pdf_sha256']: NonNullable<Circuit[Column]> };

/**
 * Draws values on a document and throws the result away: what cannot be drawn is refused now, while the one who gave it can change it. Once
 * everyone has signed nobody can.
 */
@Injectable()
export class DryRun {
  constructor(
    private readonly store: PdfStore,
    private readonly pdfs: PdfPool,
  ) {}

  /** Throws ValidationError with the pointer to what a sentence names, and DependencyUnavailable when nothing can be drawn at present. */
  async of(
    { base_pdf_key, base_pdf_sha256 }: BasePdf,
    drawings: PlacedDrawing[],
    pointerOf: (sentence: string) => string,
  ): Promise<void> {
    const base = await this.store.get(base_pdf_key);
    try {
      await this.pdfs.draw(base, { drawings }, base_pdf_sha256.toString('hex'));
    } catch (error) {
      if (!(error instanceof SealingFailure) || !OF_THE_VALUES.has(error.code)) throw readersUnavailable(error);
      throw new ValidationError([{ pointer: pointerOf(error.message), code: error.code, detail: error.message }]);
    }
  }
}

/** The field that a failure names: its key is in quotes. */
export function fieldIn<Field extends { key: string }>(sentence: string, fields: readonly Field[]): Field | undefined {
  return fields.find(({ key }) => sentence.includes(`"${key}"`));
}
