import { ERASING_MODULES, type ErasingModule, type ModuleErasure, shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { ERASABLE, type ErasureReceipt } from './erasure-receipt.entity.ts';
import { LEGAL_BASIS, moduleErasure } from './erasure-receipts.ts';

const WORDS = { maxItems: ERASABLE.length, type: 'array', items: { type: 'string', ...shape.word } } as const;
export const RECEIPT_ID_EXAMPLE = 'rcp_01m7z6fvqcergtyhm27t5fxcy2';

export class ModuleErasureView implements ModuleErasure {
  @ApiProperty({ enum: ERASING_MODULES, enumName: 'ErasingModule', example: 'compliance' })
  module: ErasingModule;

  @ApiProperty({ enum: ['pending', 'done'], example: 'done' })
  status: 'pending' | 'done';

  @ApiProperty({ ...WORDS, description: 'What is gone.', example: ['monitoring', 'stored_answers'] })
  erased: string[];

  @ApiProperty({
    ...WORDS,
    description: 'What the law obliges to keep: blocked, which means read by nobody but through this receipt.',
    example: ['screenings', 'cases'],
  })
  kept: string[];

  @ApiProperty({ ...shape.text(500), type: 'string', nullable: true, example: LEGAL_BASIS })
  legal_basis: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When what is kept is destroyed.' })
  kept_until: string | null;
}

/** Proof of an erasure. */
export class ErasureView {
  @ApiProperty({ ...shape.id('rcp'), example: RECEIPT_ID_EXAMPLE })
  receipt_id: string;

  @ApiProperty({ format: 'date-time' })
  erased_at: string;

  @ApiProperty({
    maxItems: ERASING_MODULES.length,
    type: () => [ModuleErasureView],
    description: 'What each module did.',
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
