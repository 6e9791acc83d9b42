import {
  ApiProblems,
  ClientIp,
  pathUuid,
  RequireScope,
  CurrentPrincipal,
  type Principal,
  WhileClosing,
} from '@constancia/http';
import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ErasureReceiptView } from './erasure-receipt-view.ts';
import { Erasure } from './erasure.ts';

/** DELETE /v1/kyc/subjects/{id}: erasure. */
@Controller('v1/kyc/subjects')
@ApiTags('Subjects')
export class EraseSubject {
  constructor(private readonly erasure: Erasure) {}

  @Delete(':id')
  @RequireScope('identity:erase')
  @WhileClosing()
  @HttpCode(200)
  @ApiParam({ name: 'id', description: 'The `subject_id`.' })
  @ApiOperation({
    operationId: 'eraseSubject',
    summary: 'Erase a subject',
    description:
      'Destroys the key that everything about the subject is encrypted with, removes the pictures and ends running sessions (failed, ' +
      '`erased`). A subject that was decided within `legal_hold_days` keeps document number, name and birth date until then. The other ' +
      'modules erase theirs: the answer waits up to 2 s for them and names what each erased and kept; what is `pending` is shown by ' +
      'GET /v1/erasures/{receipt_id} later. Again: the same receipt.',
  })
  @ApiOkResponse({ type: ErasureReceiptView })
  @ApiProblems('not-found', 'dependency-unavailable')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @ClientIp() origin: string,
  ): Promise<ErasureReceiptView> {
    const { receipt, modules } = await this.erasure.erase(pathUuid('sub', id), { principal, origin });
    return ErasureReceiptView.of(receipt, modules);
  }
}
