import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Get, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { CurrentSigner } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { AcceptsClaim, SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';
import { holdsClaim, IdentityChecks } from './identity-checks.ts';
import { IdentityRequests } from './identity-requests.ts';
import { isUnderWay } from './identity-states.ts';
import { IdentityCheckView, identityView } from './identity-view.ts';

/** GET /v1/sign/{token}/identity: how the verification stands, for the browser that started it. */
@SignerController()
export class ShowIdentity {
  constructor(
    private readonly database: Database,
    private readonly checks: IdentityChecks,
    private readonly identityRequests: IdentityRequests,
  ) {}

  @Get('identity')
  @ApiOperation({
    operationId: 'getSignerIdentity',
    summary: 'Show how the verification of a signer stands',
    description: 'For the client that holds the claim; to any other: 404, as when none was started.',
  })
  @AcceptsClaim()
  @ApiOkResponse({ type: IdentityCheckView })
  @SignerRoute()
  async handle(@CurrentSigner() found: FoundSigner, @Req() request: FastifyRequest): Promise<IdentityCheckView> {
    const { tenantId, facts } = found;
    const check = await this.database.tenant(tenantId, (tx) => this.checks.find(tx, tenantId, facts.signer_id));
    if (!holdsClaim(request, check)) throw new NotFound();
    if (isUnderWay(check.status)) await this.identityRequests.askAgain(check);
    return identityView(check, this.checks.captureUrl(check));
  }
}
