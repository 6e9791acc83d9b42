import { createHash } from 'node:crypto';
import { ApiProblems, BODY_PROBLEMS, CurrentTenant, RawPdfBody, type Tenant, RequireScope } from '@constancia/http';
import { PdfPool } from '@constancia/pdf-sealing';
import { ValidationError } from '@constancia/problem-json';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { PDF_LIMIT_BYTES, pdfErrors } from '../pdf-body.ts';
import { inspected } from '../pdf-reading.ts';
import { PdfStore } from '../pdf-store.ts';
import { CIRCUIT_ID_EXAMPLE, CircuitView } from './circuit-view.ts';
import { Circuits, refuseAction, updateCircuit } from './circuits.ts';

/** A placeholder that fits on every page: inspecting a PDF with it also reports what forbids drawing on it. */
export const PROBE_PLACEHOLDERS = [{ key: 'field', page: 1, x: 0, y: 0, size: 12 }];

/** POST /v1/circuits/{id}/base-pdf: the document that signers will fill in, as it is. */
@Controller('v1/circuits')
@ApiTags('Circuits')
export class UploadBasePdf {
  constructor(
    private readonly circuits: Circuits,
    private readonly store: PdfStore,
    private readonly pdfs: PdfPool,
  ) {}

  @Post(':id/base-pdf')
  @RequireScope('signing:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'uploadBasePdf',
    summary: 'Upload the base PDF of a draft',
    description:
      'The PDF is kept as it is; another upload replaces it. `warnings` tell what was found in it; what cannot be used is refused ' +
      'when the circuit is published.',
  })
  @ApiParam({ name: 'id', example: CIRCUIT_ID_EXAMPLE })
  @ApiOkResponse({ type: CircuitView, description: 'The draft with its PDF.' })
  @ApiProblems(...BODY_PROBLEMS, 'not-found', 'state-conflict', 'dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @RawPdfBody(PDF_LIMIT_BYTES) pdf: Buffer,
  ): Promise<CircuitView> {
    const errors = pdfErrors(pdf);
    if (errors.length > 0) throw new ValidationError(errors);
    refuseAction(await this.circuits.find(tenant.id, id), 'upload_base_pdf');

    const sha256 = createHash('sha256').update(pdf).digest();
    const key = `circuits/${tenant.id}/${sha256.toString('hex')}.pdf`;
    const { pageCount, warnings } = await inspected(this.pdfs, pdf, PROBE_PLACEHOLDERS);
    // The file before the row: a row without a file would be a circuit that cannot be sealed.
    await this.store.put(key, pdf);
    const circuit = await this.circuits.change(tenant.id, id, 'upload_base_pdf', (draft, tx) =>
      updateCircuit(tx, draft, {
        base_pdf_sha256: sha256,
        base_pdf_key: key,
        base_pdf_size: pdf.length,
        page_count: pageCount,
        warnings,
      }),
    );
    return CircuitView.of(circuit);
  }
}
