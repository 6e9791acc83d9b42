import { ApiProblems, CurrentTenant, RequireScope, type Tenant, WhileClosing } from '@constancia/http';
import { Controller, Delete, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { updateEnvelope, updateSigner } from '../envelope-records/envelope-changes.ts';
import { SignTokens } from '../envelope-records/sign-tokens.ts';
import { ENVELOPE_ID_EXAMPLE, EnvelopeView } from '../envelopes/envelope-view.ts';
import { Envelopes } from '../envelopes/envelopes.ts';

/** DELETE /v1/envelopes/{id}/reminders: its signers are not reminded by schedule any more. */
@Controller('v1/envelopes')
@ApiTags('Envelopes')
export class StopReminders {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly tokens: SignTokens,
  ) {}

  @Delete(':id/reminders')
  @RequireScope('signing:write')
  @WhileClosing()
  @ApiOperation({
    operationId: 'stopReminders',
    summary: 'Stop the scheduled reminders of an envelope',
    description:
      'In every state of the envelope; without scheduled reminders nothing changes. POST …/remind still works.',
  })
  @ApiParam({ name: 'id', example: ENVELOPE_ID_EXAMPLE })
  @ApiOkResponse({ type: EnvelopeView, description: 'The envelope, without reminders.' })
  @ApiProblems('not-found', 'dependency-unavailable')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<EnvelopeView> {
    await this.envelopes.change(tenant.id, id, async ({ envelope, signers }, tx) => {
      if (envelope.reminders === null) return;
      await updateEnvelope(tx, envelope, { reminders: null });
      for (const signer of signers.filter(({ reminder_due_at }) => reminder_due_at !== null)) {
        await updateSigner(tx, signer, { reminder_due_at: null });
      }
    });
    return EnvelopeView.ofFile(await this.envelopes.find(tenant.id, id), this.tokens);
  }
}
