import { AuditLog } from '@constancia/auth';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { PdfPool } from '@constancia/pdf-sealing';
import { type FieldError, StateConflict } from '@constancia/problem-json';
import { TextMessages } from '@constancia/text-messages';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Circuit } from './circuit.entity.ts';
import { PdfStore } from '../pdf-store.ts';
import { publicationAudit } from './circuit-audit.ts';
import { CIRCUIT_ID_EXAMPLE, CircuitView } from './circuit-view.ts';
import { circuitEtag, Circuits, publish, refuseAction } from './circuits.ts';
import { hazardousParts, missingParts, unavailableMethods, undrawableParts } from './publishable.ts';

const CHANGED = 'The draft was changed while it was being published: look at it, then publish it again.';

/** POST /v1/circuits/{id}/publish: from now on envelopes can be made of it, and it never changes. */
@Controller('v1/circuits')
@ApiTags('Circuits')
export class PublishCircuit {
  constructor(
    private readonly circuits: Circuits,
    private readonly store: PdfStore,
    private readonly pdfs: PdfPool,
    private readonly texts: TextMessages,
  ) {}

  @Post(':id/publish')
  @RequireScope('signing:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'publishCircuit',
    summary: 'Publish a draft',
    description:
      'Needs a base PDF that can be drawn on, a signer, a signature field for each signer, every box on its page, and senders for the codes ' +
      'that roles ask for: whatever is missing is listed in `errors`. A PDF with JavaScript, actions that run by themselves, launch programs, send or import data, an ' +
      'XFA form, embedded files, layers that print otherwise than they are shown, bytes before %PDF- or content beyond 64 MB is not ' +
      'published: each finding is an item with its place. In the same step the version of the same code that was published becomes `deprecated`; its ' +
      'envelopes go on.',
  })
  @ApiParam({ name: 'id', example: CIRCUIT_ID_EXAMPLE })
  @ApiOkResponse({ type: CircuitView, description: 'The published circuit.' })
  @ApiProblems('not-found', 'state-conflict', 'dependency-unavailable')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @ClientIp() origin: string,
  ): Promise<CircuitView> {
    const { tenant } = principal;
    const draft = await this.circuits.find(tenant.id, id);
    refuseAction(draft, 'publish');
    const errors = await this.errorsOf(draft);
    if (errors.length > 0) {
      throw new StateConflict('The draft is not ready: correct every item of errors, then publish it.', { errors });
    }
    // Reading the PDF takes its time: no lock is held meanwhile, and what was read has to be what is published.
    const published = await this.circuits.change(tenant.id, id, 'publish', async (circuit, tx) => {
      if (circuitEtag(circuit) !== circuitEtag(draft)) throw new StateConflict(CHANGED);
      const row = await publish(tx, circuit);
      await AuditLog.record(tx, { principal, origin, ...publicationAudit(row) });
      return row;
    });
    return CircuitView.of(published);
  }

  private async errorsOf(draft: Circuit): Promise<FieldError[]> {
    const errors = [...missingParts(draft), ...unavailableMethods(draft, this.texts.channels)];
    if (draft.base_pdf_key === null) return errors;
    const pdf = await this.store.get(draft.base_pdf_key);
    errors.push(...(await hazardousParts(this.pdfs, pdf)));
    if (errors.some(({ pointer }) => pointer.startsWith('/fields/'))) return errors;
    return [...errors, ...(await undrawableParts(this.pdfs, pdf, draft))];
  }
}
