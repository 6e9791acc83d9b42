import { ERASING_MODULES, type ModuleErasure, shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { SUBJECT_ID_EXAMPLE } from '../subjects/subject-view.ts';
import type { ErasureReceipt } from './erasure-receipt.entity.ts';

@ApiSchema({ name: 'ModuleErasure' })
export class ModuleErasureView implements ModuleErasure {
  @ApiProperty({ enum: ERASING_MODULES })
  module: ModuleErasure['module'];

  @ApiProperty({
    enum: ['pending', 'done'],
    description: 'pending: the module has not answered yet; it is asked again.',
  })
  status: ModuleErasure['status'];

  @ApiProperty({ maxItems: 50, type: 'array', items: { type: 'string', maxLength: 60 }, example: ['screenings'] })
  erased: string[];

  @ApiProperty({ maxItems: 50, type: 'array', items: { type: 'string', maxLength: 60 }, example: ['cases'] })
  kept: string[];

  @ApiProperty({ ...shape.text(1000), type: String, nullable: true, description: 'Why something is kept.' })
  legal_basis: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  kept_until: string | null;
}

const NOT_COVERED =
  'A wallet, if the person keeps one, is their own: this erasure does not touch it, and says nothing about whether there is one.';

export class ErasureReceiptView {
  @ApiProperty({ ...shape.id('rcp'), example: 'rcp_01jd8m3x5se9t8qzvwpk4c2d6h' })
  receipt_id: string;

  @ApiProperty({ ...shape.id('sub'), example: SUBJECT_ID_EXAMPLE })
  subject_id: string;

  @ApiProperty({ format: 'date-time' })
  erased_at: string;

  @ApiProperty({ description: 'Document and name are kept for a time, as the settings’ legal_hold_days say.' })
  legal_hold: boolean;

  @ApiProperty({ maxItems: 3, type: [ModuleErasureView], description: 'What each module erased and kept.' })
  modules: ModuleErasureView[];

  @ApiProperty({ ...shape.text(1000), description: 'What the erasure does not reach: the same on every receipt.' })
  not_covered: string;

  static of(receipt: ErasureReceipt, modules: ModuleErasure[]): ErasureReceiptView {
    return {
      receipt_id: typeId('rcp', receipt.id),
      subject_id: typeId('sub', receipt.subject_id),
      erased_at: receipt.erased_at.toISOString(),
      legal_hold: receipt.legal_hold,
      modules: modules.map(({ module, status, erased, kept, legal_basis, kept_until }) => {
        return { module, status, erased, kept, legal_basis, kept_until };
      }),
      not_covered: NOT_COVERED,
    };
  }
}
