import { CreditLedger } from '@constancia/credit-ledger';
import { ApiProblems, CurrentTenant, pathUuid, RequireScope, type Tenant } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Controller, Get, HttpCode, Injectable, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { IdentityDatabase } from '../identity-database.ts';
import { Subjects } from '../subjects/subjects.ts';
import { endPresentation, lockPresentation, presentationRow, releaseHold } from './presentation-rows.ts';
import { PRESENTATION_ID_EXAMPLE, PresentationView } from './presentation-view.ts';
import type { Presentation } from './presentation.entity.ts';
import { claimsContext, type ReleasedClaims } from './released-claims.ts';

/** A tenant's requests, as it sees them. */
@Injectable()
export class TenantPresentations {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
    private readonly ledger: CreditLedger,
  ) {}

  show(tenantId: string, id: string): Promise<PresentationView> {
    return this.database.tenant(tenantId, async (tx) => this.view(tx, await presentationRow(tx, tenantId, id)));
  }

  /** Ends a request that is pending, and gives its credits back. Cancelling again changes nothing. */
  cancel(tenantId: string, id: string): Promise<PresentationView> {
    return this.database.tenant(tenantId, async (tx) => {
      const row = await lockPresentation(tx, tenantId, id);
      if (row.status !== 'cancelled') {
        if (row.status !== 'pending' || row.expires_at <= new Date()) {
          const status = row.status === 'pending' ? 'expired' : row.status;
          throw new StateConflict(`A request that is ${status} cannot be cancelled.`, { status_of_request: status });
        }
        await endPresentation(tx, row, { status: 'cancelled' });
        await releaseHold(tx, this.ledger, row);
      }
      return this.view(tx, await presentationRow(tx, tenantId, id));
    });
  }

  /** As its tenant sees it, with what the person gave. */
  async view(tx: Tx, row: Presentation): Promise<PresentationView> {
    return PresentationView.of(row, await this.claims(tx, row));
  }

  /** What the person gave; null: nothing, or the subject was erased. */
  async claims(tx: Tx, { id, tenant_id, subject_id, sealed_claims }: Presentation) {
    if (subject_id === null || sealed_claims === null) return null;
    const subject = await this.subjects.find(tx, tenant_id, subject_id);
    const text = await this.subjects.unseal(tx, subject, claimsContext(id), sealed_claims);
    return text === null ? null : (JSON.parse(text) as ReleasedClaims);
  }
}

/** Requests for kept verifications, of the tenant that made them. */
@Controller('v1/wallet/presentations')
@ApiTags('Reuse')
export class PresentationRoutes {
  constructor(private readonly presentations: TenantPresentations) {}

  @Get(':id')
  @RequireScope('identity:read')
  @ApiOperation({
    operationId: 'showPresentation',
    summary: 'Show a request for a kept verification',
    description: 'What the person gave is shown while the subject has not been erased.',
  })
  @ApiParam({ name: 'id', example: PRESENTATION_ID_EXAMPLE })
  @ApiOkResponse({ type: PresentationView })
  @ApiProblems('not-found', 'dependency-unavailable')
  show(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<PresentationView> {
    return this.presentations.show(tenant.id, pathUuid('wpr', id));
  }

  @Post(':id/cancel')
  @RequireScope('identity:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancelPresentation',
    summary: 'Cancel a request for a kept verification',
    description: 'The link ends, and the credits come back. 409 once the request has ended otherwise.',
  })
  @ApiParam({ name: 'id', example: PRESENTATION_ID_EXAMPLE })
  @ApiOkResponse({ type: PresentationView })
  @ApiProblems('not-found', 'state-conflict', 'dependency-unavailable')
  cancel(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<PresentationView> {
    return this.presentations.cancel(tenant.id, pathUuid('wpr', id));
  }
}
