import {
  AnyScope,
  ApiOptional,
  ApiProblems,
  beforeId,
  CurrentPrincipal,
  page,
  PageQuery,
  type Principal,
  WhileClosing,
} from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { ValidationError } from '@constancia/problem-json';
import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsString, MaxLength } from 'class-validator';
import { In, IsNull, LessThan, LessThanOrEqual } from 'typeorm';
import { MemberNotification } from './member-notification.entity.ts';
import { NotificationPage, NotificationView } from './notification-view.ts';
import { ownMember } from './own-member.ts';

export class NotificationsQuery extends PageQuery {
  @ApiOptional({ description: 'Only those that are neither read nor settled.' })
  @IsBoolean()
  unread?: boolean;
}

export class ReadNotificationsBody {
  @ApiOptional({ description: 'These. An id that is not yours is ignored.' })
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  ids?: string[];

  @ApiOptional({ description: 'This one and all that are older.', example: 'ntf_01jd8x5tq2e5kvh3n0m9c7wz4r' })
  @IsString()
  @MaxLength(64)
  up_to?: string;
}

/** What the member who calls was notified of. */
@Controller('v1/notifications')
@ApiTags('Members')
export class OwnNotifications {
  constructor(private readonly database: Database) {}

  @Get()
  @AnyScope()
  @ApiOperation({
    operationId: 'listOwnNotifications',
    summary: 'List your own notifications',
    description: 'For members, the newest first; an API key gets 403. They are deleted after 90 days.',
  })
  @ApiOkResponse({ type: NotificationPage })
  @ApiProblems('validation-error', 'forbidden')
  list(@CurrentPrincipal() principal: Principal, @Query() query: NotificationsQuery): Promise<NotificationPage> {
    const own = { ...ownMember(principal), in_console: true };
    const unread = { ...own, read_at: IsNull(), settled_at: IsNull() };
    const before = beforeId(query);
    return this.database.tenant(principal.tenant.id, async ({ manager }) => {
      const rows = await manager.find(MemberNotification, {
        where: { ...(query.unread ? unread : own), ...(before && { id: LessThan(before) }) },
        order: { id: 'DESC' },
        take: query.limit + 1,
      });
      const { data, next_cursor } = page(rows, query.limit, ({ id }) => [id]);
      const unread_count = await manager.countBy(MemberNotification, unread);
      return { data: data.map((row) => NotificationView.of(row)), next_cursor, unread_count };
    });
  }

  @Post('read')
  @AnyScope()
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({ operationId: 'readOwnNotifications', summary: 'Mark notifications as read' })
  @ApiNoContentResponse({ description: 'They are read.' })
  @ApiProblems('validation-error', 'forbidden')
  async read(@CurrentPrincipal() principal: Principal, @Body() { ids, up_to }: ReadNotificationsBody): Promise<void> {
    const unread = { ...ownMember(principal), read_at: IsNull() };
    const chosen = up_to === undefined ? null : uuidOf('ntf', up_to);
    if (chosen === null && (ids === undefined || up_to !== undefined)) throw nothingNamed();
    const those = (ids ?? []).flatMap((id) => uuidOf('ntf', id) ?? []);
    await this.database.tenant(principal.tenant.id, async ({ manager }) => {
      for (const id of [In(those), ...(chosen === null ? [] : [LessThanOrEqual(chosen)])])
        await manager.update(MemberNotification, { ...unread, id }, { read_at: new Date() });
    });
  }
}

const nothingNamed = () =>
  new ValidationError([{ pointer: '/up_to', code: 'wrong_format', detail: 'Give the id of a notification, or ids.' }]);
