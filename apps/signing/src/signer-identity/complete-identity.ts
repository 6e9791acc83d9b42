import type { IdentityEvidence } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SigningConfig } from '../config.ts';
import { CurrentSigner, CurrentVisitor, type Visitor } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { proven } from '../signer-requests/proof-outcome.ts';
import { ProvenState, provenState, setProofCookie } from '../signer-requests/proven-state.ts';
import {
  type HeldEnvelope,
  notNow,
  requireAllowed,
  SignerRequests,
  standingOf,
} from '../signer-requests/signer-requests.ts';
import { AcceptsClaim, SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';
import { holdsClaim, IdentityChecks } from './identity-checks.ts';
import { presentStatus } from './identity-states.ts';

/** POST /v1/sign/{token}/identity/complete: the browser that started the verification gets its proof. */
@SignerController()
export class CompleteIdentity {
  constructor(
    private readonly requests: SignerRequests,
    private readonly checks: IdentityChecks,
    private readonly config: SigningConfig,
  ) {}

  @Post('identity/complete')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'completeSignerIdentity',
    summary: 'Get the proof of a verified identity',
    description:
      'For the client that holds the claim, while `status` is verified; to any other client 404, before that 409. May be repeated, for another ' +
      'proof.',
  })
  @AcceptsClaim()
  @ApiOkResponse({ type: ProvenState, description: 'How the signer stands, and the proof.' })
  @SignerRoute('state-conflict')
  async handle(
    @CurrentSigner() found: FoundSigner,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ProvenState> {
    const state = await this.requests.serve(found, async (tx, held) => {
      const evidence = await this.evidenceFor(tx, held, request);
      const proof = await proven(tx, { held, found, visitor }, 'identity', {}, { ...evidence });
      return { result: await provenState(this.requests, { tx, found }, proof) };
    });
    setProofCookie({ request, reply, config: this.config }, state);
    return state;
  }

  private async evidenceFor(tx: Tx, held: HeldEnvelope, request: FastifyRequest): Promise<IdentityEvidence> {
    const { envelope, signer } = held;
    const check = await this.checks.find(tx, envelope.tenant_id, signer.id);
    if (!holdsClaim(request, check)) throw new NotFound();
    requireAllowed(held, 'identity/complete');
    const status = presentStatus(check);
    if (status !== 'verified' || check.verified === null) {
      throw notNow(standingOf(held), `The verification is ${status}`);
    }
    return check.verified;
  }
}
