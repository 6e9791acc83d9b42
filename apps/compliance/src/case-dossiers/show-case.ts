import { actingOf, ApiActor, ApiProblems, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { transitionsTable } from '../case-records/case-states.ts';
import { ApiCaseDetail } from '../cases/case.openapi.ts';
import { ListAges } from '../lists/dated-lists.ts';
import { Cases, etagOf } from '../cases/cases.ts';
import { readDossier } from './case-dossier.ts';
import { CaseDossierView } from './case-dossier-view.ts';

/** GET /v1/cases/{id}: everything that a person who decides the case looks at, of one moment. */
@Controller('v1/cases')
@ApiTags('Cases')
export class ShowCase {
  constructor(
    private readonly cases: Cases,
    private readonly ages: ListAges,
  ) {}

  @Get(':id')
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'showCase',
    summary: 'Show a case with its subject, its last screening, its rules, its timeline and its attachments',
    description:
      'Every event of the timeline carries the hash of the one before; `chain_valid` says whether the chain holds. ' +
      'Anybody can check it: see the guide on verifying a timeline.\n\n' +
      '`allowed_actions` are those that you may take: by the state, by your scopes, and, where two people decide, not by who proposed. ' +
      'A key asks for the person that X-Actor names.\n\n' +
      `What can be done with a case (everything else is 409 state-conflict with \`allowed_actions\`):\n\n${transitionsTable()}`,
  })
  @ApiActor()
  @ApiCaseDetail('The case as it stands.', CaseDossierView)
  @ApiProblems('validation-error', 'not-found')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Headers('x-actor') actor: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CaseDossierView> {
    const caller = {
      ...actingOf(actor, principal),
      scopes: principal.scopes,
      isClosing: principal.tenant.standing === 'closing',
    };
    const dossier = await this.cases.inspect(principal.tenant.id, id, (tx, keyring, file) =>
      readDossier(tx, keyring, file, this.ages),
    );
    void reply.header('ETag', etagOf(dossier.file.found));
    return CaseDossierView.ofDossier(dossier, caller);
  }
}
