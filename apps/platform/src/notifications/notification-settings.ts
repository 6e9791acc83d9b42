import { AuditLog } from '@constancia/auth';
import {
  AnyScope,
  ApiOptional,
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  type Principal,
  WhileClosing,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { type Locale, LOCALES } from '../locale.ts';
import { Member } from '../members/member.entity.ts';
import { memberObject } from '../members/members.ts';
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

  @ApiOptional({ enumName: 'Locale', description: 'The language of your mails. Left out: it stays.', example: 'es-CO' })
  @IsIn(LOCALES)
  locale?: Locale;
}

/** What the member who calls has switched off: nothing, at first; and the language of their mails. */
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
    return this.database.tenant(tenant_id, async ({ manager }) => {
      const row = await manager.findOneBy(NotificationSettingsRow, { member_id, tenant_id });
      const { locale } = await manager.findOneByOrFail(Member, { id: member_id, tenant_id });
      return { mail_off: row?.mail_off ?? [], console_off: row?.console_off ?? [], locale };
    });
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
    @ClientIp() origin: string,
    @Body() { mail_off, console_off, locale }: NotificationSettings,
  ): Promise<NotificationSettings> {
    const { member_id, tenant_id } = ownMember(principal);
    return this.database.tenant(tenant_id, async (tx) => {
      await tx.query(
        `insert into platform.notification_settings (member_id, tenant_id, mail_off, console_off) values ($1, $2, $3, $4)
         on conflict (member_id) do update set mail_off = excluded.mail_off, console_off = excluded.console_off`,
        [member_id, tenant_id, mail_off, console_off],
      );
      const member = await tx.manager.findOneByOrFail(Member, { id: member_id, tenant_id });
      if (locale !== undefined && locale !== member.locale) {
        await tx.manager.update(Member, { id: member_id, tenant_id }, { locale });
        const changed = { before: { locale: member.locale }, after: { locale } };
        await AuditLog.record(tx, {
          principal,
          action: 'member.changed',
          object: memberObject(member),
          ...changed,
          origin,
        });
      }
      return { mail_off, console_off, locale: locale ?? member.locale };
    });
  }
}
