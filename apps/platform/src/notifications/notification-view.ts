import { shape } from '@constancia/contracts';
import { PageOf } from '@constancia/http';
import { type IdPrefix, typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import type { MemberNotification } from './member-notification.entity.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from './notification-kinds.ts';

export class NotificationView {
  @ApiProperty({ ...shape.id('ntf'), example: 'ntf_01jd8x5tq2e5kvh3n0m9c7wz4r' })
  id: string;

  @ApiProperty({ enum: NOTIFICATION_KINDS, enumName: 'NotificationKind', example: 'case_assigned' })
  kind: NotificationKind;

  @ApiProperty({ ...shape.id('cas'), type: String, nullable: true, description: 'Of the kinds `case_…`.' })
  case_id: string | null;

  @ApiProperty({ ...shape.id('val'), type: String, nullable: true, description: 'Of `rules_awaiting_publication`.' })
  validation_id: string | null;

  @ApiProperty({ ...shape.id('fls'), type: String, nullable: true, description: 'Of `session_awaiting_approval`.' })
  session_id: string | null;

  @ApiProperty({ ...shape.id('env'), type: String, nullable: true, description: 'Of the kinds `envelope_…`.' })
  envelope_id: string | null;

  @ApiProperty({ ...shape.id('whe'), type: String, nullable: true, description: 'Of `endpoint_disabled`.' })
  endpoint_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 300,
    description:
      'The name of the circuit of an envelope, the code of a validation, or the host of an endpoint. null for a case or a session, whose ' +
      'subject is a person.',
    example: null,
  })
  title: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  read_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
    description:
      'When what it asks for was done, by whomever: the case was decided, the rules were published, the endpoint was enabled. It is not ' +
      'counted as unread any more.',
  })
  settled_at: string | null;

  static of({ id, kind, ref_id, title, created_at, read_at, settled_at }: MemberNotification): NotificationView {
    const idOf = (prefix: IdPrefix, isOf: boolean): string | null =>
      ref_id !== null && isOf ? typeId(prefix, ref_id) : null;
    return {
      id: typeId('ntf', id),
      kind,
      case_id: idOf('cas', kind.startsWith('case_')),
      validation_id: idOf('val', kind === 'rules_awaiting_publication'),
      session_id: idOf('fls', kind === 'session_awaiting_approval'),
      envelope_id: idOf('env', kind.startsWith('envelope_')),
      endpoint_id: idOf('whe', kind === 'endpoint_disabled'),
      title,
      created_at: created_at.toISOString(),
      read_at: read_at?.toISOString() ?? null,
      settled_at: settled_at?.toISOString() ?? null,
    };
  }
}

export class NotificationPage extends PageOf(NotificationView) {
  @ApiProperty({ ...shape.wide, description: 'How many are neither read nor settled, on all pages.', example: 3 })
  unread_count: number;
}
