import {
  AnyScope,
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  IsMailedText,
  type Principal,
  Trimmed,
  WhileClosing,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Forbidden, StateConflict } from '@constancia/problem-json';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { MemberMails } from '../members/member-mails.ts';
import { SignInSettingsRow } from '../sign-in-settings/sign-in-settings.entity.ts';
import { lockTenant } from '../tenants/tenant-row.ts';
import { Passkey } from './passkey.entity.ts';
import { PasskeyList, PasskeyView } from './passkey-view.ts';
import { passkeysOf } from './passkeys.ts';
import { passkeyOf, removePasskey } from './remove-passkey.ts';

export class RenamePasskeyBody {
  @ApiProperty({ example: 'Work laptop' })
  @Trimmed()
  @IsString()
  @Length(1, 60)
  @IsMailedText()
  name: string;
}

/** The passkeys of the member who calls. They are registered on the console host. */
@Controller('v1/passkeys')
@ApiTags('Members')
export class OwnPasskeys {
  constructor(
    private readonly database: Database,
    private readonly mails: MemberMails,
  ) {}

  @Get()
  @AnyScope()
  @ApiOperation({
    operationId: 'listOwnPasskeys',
    summary: 'List your own passkeys',
    description: 'For members: an API key has none, and gets 403. Passkeys are registered in the console.',
  })
  @ApiOkResponse({ type: PasskeyList })
  @ApiProblems('forbidden')
  async list(@CurrentPrincipal() principal: Principal): Promise<PasskeyList> {
    requireMember(principal);
    const rows = await this.database.tenant(principal.tenant.id, (tx) => passkeysOf(tx, principal.id));
    return { data: rows.map((row) => PasskeyView.of(row)) };
  }

  @Patch(':id')
  @AnyScope()
  @WhileClosing()
  @ApiOperation({ operationId: 'renameOwnPasskey', summary: 'Rename one of your passkeys' })
  @ApiOkResponse({ type: PasskeyView })
  @ApiProblems('validation-error', 'forbidden', 'not-found')
  async rename(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { name }: RenamePasskeyBody,
  ): Promise<PasskeyView> {
    requireMember(principal);
    return this.database.tenant(principal.tenant.id, async (tx) => {
      const passkey = await passkeyOf(tx, principal.id, id);
      await tx.manager.update(Passkey, { id: passkey.id, tenant_id: passkey.tenant_id }, { name });
      return PasskeyView.of({ ...passkey, name });
    });
  }

  @Delete(':id')
  @AnyScope()
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'removeOwnPasskey',
    summary: 'Remove one of your passkeys',
    description:
      'Sessions that were opened with it end within a second, this one too. While the tenant requires passkeys your last one stays: 409.',
  })
  @ApiNoContentResponse({ description: 'The passkey is removed.' })
  @ApiProblems('forbidden', 'not-found', 'state-conflict')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Param('id') id: string,
  ): Promise<void> {
    requireMember(principal);
    const { tenant } = principal;
    await this.database.tenant(tenant.id, async (tx) => {
      await lockTenant(tx, tenant.id);
      const passkey = await passkeyOf(tx, principal.id, id);
      const settings = await tx.manager.findOneBy(SignInSettingsRow, { tenant_id: tenant.id });
      if (settings?.required_method === 'passkey' && (await passkeysOf(tx, principal.id)).length === 1) {
        throw new StateConflict('Your tenant requires passkeys: add another one before you remove the last.');
      }
      await removePasskey(tx, { principal, origin }, passkey);
    });
    this.mails.wake();
  }
}

function requireMember({ kind }: Principal): void {
  if (kind !== 'member') throw new Forbidden('Only a member has passkeys: present a member token.');
}
