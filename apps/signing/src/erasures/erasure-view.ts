import { ERASING_MODULES, type ErasingModule, type ModuleErasure, shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { LEGAL_BASIS, moduleErasure } from './erasure-receipts.ts';
import { ERASABLE, type ErasureReceipt } from './erasure-receipt.entity.ts';

const WORDS = { maxItems: ERASABLE.length, type: 'array', items: { type: 'string', ...shape.word } } as const;
export const RECEIPT_ID_EXAMPLE = 'rcp_01m7z6fvqcergtyhm27t5fxcy2';

export class ModuleErasureView implements ModuleErasure {
  @ApiProperty({ enum: ERASING_MODULES, enumName: 'ErasingModule', example: 'signing' })
  module: ErasingModule;

  @ApiProperty({
    enum: ['pending', 'done'],
    description: 'pending: a document of the person is being sealed; ask again.',
    example: 'done',
  })
  status: 'pending' | 'done';

  @ApiProperty({ ...WORDS, description: 'What is gone.', example: ['merge_data', 'signers'] })
  erased: string[];

  @ApiProperty({ ...WORDS, description: 'What is kept as evidence.', example: ['sealed_documents', 'envelope_trails'] })
  kept: string[];

  @ApiProperty({ ...shape.text(500), type: 'string', nullable: true, example: LEGAL_BASIS })
  legal_basis: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'null: without an end.',
    example: null,
  })
  kept_until: string | null;
}

/** Proof of an erasure. */
export class ErasureView {
  @ApiProperty({ ...shape.id('rcp'), example: RECEIPT_ID_EXAMPLE })
  receipt_id: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  erased_at: string;

  @ApiProperty({
    maxItems: ERASING_MODULES.length,
    type: () => [ModuleErasureView],
    description: 'What this module did.',
  })
  modules: ModuleErasureView[];

  static of(receipt: ErasureReceipt): ErasureView {
    return {
      receipt_id: typeId('rcp', receipt.id),
      erased_at: receipt.erased_at.toISOString(),
      modules: [moduleErasure(receipt)],
    };
  }
}
