import { AuditLog } from '@constancia/auth';
import { answer, Caller, namedTenant, OpsAnswer, OpsController, OpsOperation, ReasonBody } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Database, recordAct } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import type { OpsCaller } from '@constancia/telemetry';
import { Body, HttpCode, Param, Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, MaxLength } from 'class-validator';

class ResetPasskeysBody extends ReasonBody {
  @ApiProperty({ description: 'The address of the owner who lost their passkeys.' })
  @IsEmail({ blacklisted_chars: '"' })
  @MaxLength(254)
  email: string;
}

/** The way back for a tenant that requires passkeys and whose owners all lost theirs. */
@OpsController('ops/tenants')
export class PasskeyActions {
  constructor(private readonly database: Database) {}

  @Post(':id/passkey-resets')
  @HttpCode(200)
  @OpsOperation('remove the passkeys of an owner who lost them; every owner is mailed', { role: 'grant' })
  @OpsAnswer(200, answer.object({ member_id: answer.id('mbr'), removed: answer.whole }))
  async resetPasskeys(
    @Param('id') name: string,
    @Body() { email, reason }: ResetPasskeysBody,
    @Caller() { name: operator }: OpsCaller,
  ) {
    const { id: tenantId } = await namedTenant(this.database, name);
    return this.database.tenant(tenantId, async (tx) => {
      const [row] = await tx.query<{ member_id: string; passkeys: number }>(
        'select * from platform.ops_reset_passkeys($1, $2)',
        [tenantId, email],
      );
      if (row === undefined) throw new NotFound('The tenant has no active owner with this address.');
      const result = { member_id: typeId('mbr', row.member_id), removed: row.passkeys };
      await recordAct(tx, { type: 'passkeys.reset', operator, tenantId, data: { ...result, reason } });
      const object = { kind: 'member', id: result.member_id };
      const principal = { tenantId, system: 'operators' };
      await AuditLog.record(tx, { principal, action: 'member.passkeys_reset', object, origin: null });
      return result;
    });
  }
}
