import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Get, Req } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { CurrentSigner } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';
import { IdentityChecks } from './identity-checks.ts';
import { holdsClaim } from './identity-claims.ts';
import { IdentityRequests } from './identity-requests.ts';
import { isUnderWay } from './identity-states.ts';
import { IdentityCheckView, identityView } from './identity-view.ts';

/** Asking the identity module more often tells nothing new. */
const ASK_AFTER_MS = 2_000;

/** GET /v1/sign/{token}/identity: how the verification stands, for the browser that began it. */
@SignerController()
export class ShowIdentity {
  constructor(
    private readonly database: Database,
    private readonly checks: IdentityChecks,
    private readonly requests: IdentityRequests,
  ) {}

  @Get('identity')
  @ApiOperation({
    operationId: 'getSignerIdentity',
    summary: 'Show how the verification of a signer stands',
    description: 'For the client that holds the claim; to any other: 404, as when none was begun.',
  })
  @ApiHeader({ name: 'X-Identity-Claim', required: false, schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } })
  @ApiOkResponse({ type: IdentityCheckView })
  @SignerRoute()
  async handle(@CurrentSigner() found: FoundSigner, @Req() request: FastifyRequest): Promise<IdentityCheckView> {
    const { tenantId, facts } = found;
    const check = await this.database.tenant(tenantId, (tx) => this.checks.find(tx, tenantId, facts.signer_id));
    if (!holdsClaim(request, check)) throw new NotFound();
    const asked = check.asked_at?.getTime() ?? check.created_at.getTime();
    if (isUnderWay(check.status) && Date.now() - asked > ASK_AFTER_MS) this.requests.ask(check);
    return identityView(check, this.checks.captureUrl(check));
  }
}
