import { pointerTo } from '@constancia/http';
import { fieldDrawings, PdfPool, type SignatureMark, SealingFailure } from '@constancia/pdf-sealing';
import { ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { CircuitField } from '../circuits/circuit.entity.ts';
import { readersUnavailable } from '../pdf-reading.ts';
import { PdfStore } from '../pdf-store.ts';
import type { SignerFacts } from '../signer-requests/found-signer.ts';
import type { FieldValues } from '../signer-requests/field-values.ts';

const OF_THE_ANSWERS = new Set(['text_overflow', 'unsupported_text', 'invalid_image']);

/**
 * Draws a signer's answers on the document and throws the result away: what cannot be drawn is refused now, while the signer can change
 * it. Once everyone has signed nobody can.
 */
@Injectable()
export class DryRun {
  constructor(
    private readonly store: PdfStore,
    private readonly pdfs: PdfPool,
  ) {}

  /** Throws ValidationError, pointing at the field or the signature, and DependencyUnavailable when nothing can be drawn at present. */
  async of(facts: SignerFacts, signature: SignatureMark, values: FieldValues): Promise<void> {
    const base = await this.store.get(facts.base_pdf_key);
    try {
      const drawings = fieldDrawings(facts.fields, { signature, values, locale: facts.locale });
      await this.pdfs.draw(base, { drawings }, facts.base_pdf_sha256.toString('hex'));
    } catch (error) {
      if (!(error instanceof SealingFailure) || !OF_THE_ANSWERS.has(error.code)) throw readersUnavailable(error);
      const pointer = pointerOf(facts.fields, signature, error.message);
      throw new ValidationError([{ pointer, code: error.code, detail: error.message }]);
    }
  }
}

/** The failure names the field's key in quotes. */
function pointerOf(fields: readonly CircuitField[], { type }: SignatureMark, sentence: string): string {
  const field = fields.find(({ key }) => sentence.includes(`"${key}"`));
  if (!field) return '/fields';
  if (field.type !== 'signature') return pointerTo('/fields', field.key);
  return type === 'typed' ? '/signature/text' : '/signature/image';
}
