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
import { typeId } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { type Locale, LOCALES } from '../locale.ts';
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
    return this.database.tenant(tenant_id, async (tx) => {
      const row = await tx.manager.findOneBy(NotificationSettingsRow, { member_id, tenant_id });
      const locale = await localeOfMember(tx, member_id);
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
      const before = await localeOfMember(tx, member_id);
      if (locale !== undefined && locale !== before) {
        await tx.query('update platform.member set locale = $2 where id = $1', [member_id, locale]);
        const object = { kind: 'member', id: typeId('mbr', member_id) };
        const changed = { before: { locale: before }, after: { locale } };
        await AuditLog.record(tx, { principal, action: 'member.changed', object, ...changed, origin });
      }
      return { mail_off, console_off, locale: locale ?? before };
    });
  }
}

async function localeOfMember(tx: Tx, memberId: string): Promise<Locale> {
  const [row] = await tx.query<{ locale: Locale }>('select locale from platform.member where id = $1', [memberId]);
  return (row as { locale: Locale }).locale;
}
