import { AuditLog } from '@constancia/auth';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { typeId, uuidv7 } from '@constancia/kernel';
import { StateConflict } from '@constancia/problem-json';
import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DEFAULT_CODE, DEFAULT_TYPE, defaultSteps } from '../flows/default-flow.ts';
import { Flow } from '../flows/flow.entity.ts';
import { FlowView } from '../flows/flow-view.ts';
import { addDraft, lockCode, publicationAudit, publish } from '../flows/flows.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { ComplianceRequests } from './compliance-requests.ts';

/** POST /v1/flows/seed-default: the default onboarding flow, published, once. */
@Controller('v1/flows')
@ApiTags('Flows')
export class SeedDefault {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly compliance: ComplianceRequests,
  ) {}

  @Post('seed-default')
  @RequireScope('identity:write')
  @ApiOperation({
    operationId: 'seedDefaultFlow',
    summary: 'Create and publish the default onboarding flow',
    description:
      'Steps: consent, document_upload, face_match, sarlaft. The first time the compliance module also creates and publishes ' +
      'the canonical validation `default`, when the tenant has none; that follows within seconds.',
  })
  @ApiCreatedResponse({ type: FlowView })
  @ApiProblems('state-conflict')
  async handle(@CurrentPrincipal() principal: Principal, @ClientIp() origin: string): Promise<FlowView> {
    const { tenant } = principal;
    const flow = await this.database.tenant(tenant.id, async (tx) => {
      await lockCode(tx, tenant.id, DEFAULT_TYPE, DEFAULT_CODE);
      const [known] = await tx.query<{ id: string }>(
        `select id from identity.flow where tenant_id = $1 and type = $2 and code = $3
          order by (status = 'published') desc, version desc limit 1`,
        [tenant.id, DEFAULT_TYPE, DEFAULT_CODE],
      );
      if (known) {
        throw new StateConflict('The default onboarding flow exists already: flow_id names it.', {
          flow_id: typeId('flw', known.id),
        });
      }
      const code = { type: DEFAULT_TYPE, code: DEFAULT_CODE, steps: defaultSteps() };
      const draft = await addDraft(tx, tenant.id, code);
      await tx.manager.update(Flow, { id: draft.id }, { seed_request: uuidv7() });
      const published = await publish(tx, draft);
      await AuditLog.record(tx, { principal, origin, ...publicationAudit(published) });
      return published;
    });
    this.compliance.wake(); // may be lost: the sweep asks until it is answered
    return FlowView.of(flow);
  }
}
