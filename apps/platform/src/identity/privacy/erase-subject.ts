import { shape } from '@constancia/contracts';
import { ApiProblems, CurrentTenant, type Tenant } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { subjectUuid } from '../subjects/subject-records.ts';
import { SUBJECT_ID_EXAMPLE } from '../subjects/subject-view.ts';
import { Erasure } from './erasure.ts';

export class ErasureReceiptView {
  @ApiProperty({ ...shape.id('rcp'), example: 'rcp_01jd8m3x5se9t8qzvwpk4c2d6h' })
  receipt_id: string;

  @ApiProperty({ ...shape.id('sub'), example: SUBJECT_ID_EXAMPLE })
  subject_id: string;

  @ApiProperty({ format: 'date-time' })
  erased_at: string;

  @ApiProperty({ description: 'Document and name are kept for a time, as the settings’ legal_hold_days say.' })
  legal_hold: boolean;
}

/** DELETE /v1/kyc/subjects/{id}: erasure. */
@Controller('v1/kyc/subjects')
@ApiTags('Subjects')
export class EraseSubject {
  constructor(private readonly erasure: Erasure) {}

  @Delete(':id')
  @HttpCode(200)
  @ApiParam({ name: 'id', description: 'The `subject_id`.' })
  @ApiOperation({
    operationId: 'eraseSubject',
    summary: 'Erase a subject',
    description:
      'Destroys the key that everything about the subject is encrypted with, removes the pictures and ends running sessions (failed, ' +
      '`erased`). A subject that was decided within `legal_hold_days` keeps document number, name and birth date until then. Again: ' +
      'the same receipt.',
  })
  @ApiOkResponse({ type: ErasureReceiptView })
  @ApiProblems('not-found', 'dependency-unavailable')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<ErasureReceiptView> {
    const receipt = await this.erasure.erase(tenant.id, subjectUuid(id), tenant.keyPrefix);
    return {
      receipt_id: typeId('rcp', receipt.id),
      subject_id: typeId('sub', receipt.subject_id),
      erased_at: receipt.erased_at.toISOString(),
      legal_hold: receipt.legal_hold,
    };
  }
}
