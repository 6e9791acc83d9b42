import { AnyScope, ApiProblems, CurrentPrincipal, type Principal, WhileClosing } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { NOTIFICATION_KINDS, type NotificationKind } from './notification-kinds.ts';
import { NotificationSettingsRow } from './notification-settings.entity.ts';
import { ownMember } from './own-member.ts';

export class NotificationSettings {
  @ApiProperty({ description: 'Of these you get no mail.', example: ['case_due_soon'] })
  @IsArray()
  @ArrayMaxSize(NOTIFICATION_KINDS.length)
  @ArrayUnique()
  @IsIn(NOTIFICATION_KINDS, { each: true })
  mail_off: NotificationKind[];

  @ApiProperty({ description: 'These are not in your list of notifications.', example: [] })
  @IsArray()
  @ArrayMaxSize(NOTIFICATION_KINDS.length)
  @ArrayUnique()
  @IsIn(NOTIFICATION_KINDS, { each: true })
  console_off: NotificationKind[];
}

/** What the member who calls has switched off: nothing, at first. */
@Controller('v1/notification-settings')
@ApiTags('Members')
export class OwnNotificationSettings {
  constructor(private readonly database: Database) {}

  @Get()
  @AnyScope()
  @ApiOperation({ operationId: 'showOwnNotificationSettings', summary: 'Show which notifications you switched off' })
  @ApiOkResponse({ type: NotificationSettings })
  @ApiProblems('forbidden')
  async show(@CurrentPrincipal() principal: Principal): Promise<NotificationSettings> {
    const { member_id, tenant_id } = ownMember(principal);
    const row = await this.database.tenant(tenant_id, ({ manager }) =>
      manager.findOneBy(NotificationSettingsRow, { member_id, tenant_id }),
    );
    return { mail_off: row?.mail_off ?? [], console_off: row?.console_off ?? [] };
  }

  @Put()
  @AnyScope()
  @WhileClosing()
  @ApiOperation({
    operationId: 'putOwnNotificationSettings',
    summary: 'Switch notifications off, by mail and in the console',
    description: 'What happens from then on; for members, an API key gets 403.',
  })
  @ApiOkResponse({ type: NotificationSettings })
  @ApiProblems('validation-error', 'forbidden')
  async put(
    @CurrentPrincipal() principal: Principal,
    @Body() { mail_off, console_off }: NotificationSettings,
  ): Promise<NotificationSettings> {
    const { member_id, tenant_id } = ownMember(principal);
    await this.database.tenant(tenant_id, (tx) =>
      tx.query(
        `insert into platform.notification_settings (member_id, tenant_id, mail_off, console_off) values ($1, $2, $3, $4)
         on conflict (member_id) do update set mail_off = excluded.mail_off, console_off = excluded.console_off`,
        [member_id, tenant_id, mail_off, console_off],
      ),
    );
    return { mail_off, console_off };
  }
}
