import { type Role, ROLES, shape } from '@constancia/contracts';
import { PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { type Locale, LOCALES } from '../locale.ts';
import { type Member, MEMBER_STATUSES, type MemberStatus } from './member.entity.ts';
import { type MemberSession, SIGN_IN_METHODS, type SignInMethod } from './member-session.entity.ts';

const MEMBER_ID_EXAMPLE = 'mbr_01jd8x5tq2e5kvh3n0m9c7wz4r';
const SESSION_ID_EXAMPLE = 'mss_01jd8x5tq2e5kvh3n0m9c7wz4r';

/** A person who works for the tenant. */
export class MemberView {
  @ApiProperty({ ...shape.id('mbr'), example: MEMBER_ID_EXAMPLE })
  id: string;

  @ApiProperty({ ...shape.text(254), example: 'ana.ruiz@notaria.example' })
  email: string;

  @ApiProperty({ ...shape.text(120), example: 'Ana Ruiz' })
  name: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role', example: 'analyst' })
  role: Role;

  @ApiProperty({
    enum: MEMBER_STATUSES,
    enumName: 'MemberStatus',
    description: '`invited` until they open the link of the invitation.',
    example: 'invited',
  })
  status: MemberStatus;

  @ApiProperty({ enum: LOCALES, description: 'The language of their mails.', example: 'es-CO' })
  locale: Locale;

  @ApiProperty({ ...shape.text(128), description: 'Who invited them.', example: 'Luis Mora' })
  created_by: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  activated_at: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description:
      'Until when the last mailed link of the invitation works; once it is over, `POST /v1/members/{id}/resend` mails another. ' +
      'Null once they have joined, and until the mail is written.',
    example: '2026-11-28T15:04:05.678Z',
  })
  invitation_ends_at: string | null;

  static of(row: Member): MemberView {
    return {
      id: typeId('mbr', row.id),
      email: row.email,
      name: row.name,
      role: row.role,
      status: row.status,
      locale: row.locale,
      created_by: row.created_by,
      created_at: row.created_at.toISOString(),
      activated_at: row.activated_at?.toISOString() ?? null,
      invitation_ends_at: row.status === 'invited' ? (row.invitation_ends_at?.toISOString() ?? null) : null,
    };
  }
}

export class MemberPage extends PageOf(MemberView) {}

/** A member who is signed in on the console host. */
export class MemberSessionView {
  @ApiProperty({ ...shape.id('mss'), example: SESSION_ID_EXAMPLE })
  id: string;

  @ApiProperty({
    enum: SIGN_IN_METHODS,
    enumName: 'SignInMethod',
    description: 'How the member signed in: with a mailed code or link, a passkey, or the tenant’s identity provider.',
    example: 'passkey',
  })
  method: SignInMethod;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:24:05.678Z' })
  last_used_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T23:04:05.678Z' })
  expires_at: string;

  @ApiProperty({ ...shape.text(300), description: 'What the browser calls itself.', example: 'Mozilla/5.0' })
  user_agent: string;

  @ApiProperty({ ...shape.text(45), example: '192.0.2.7' })
  ip: string;

  @ApiProperty({ description: 'Whether the caller’s member token belongs to it.', example: true })
  current: boolean;

  static of(row: MemberSession, callerSessionId: string | undefined): MemberSessionView {
    return {
      id: typeId('mss', row.id),
      method: row.method,
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      user_agent: row.user_agent,
      ip: row.ip,
      current: row.id === callerSessionId,
    };
  }
}

export class MemberSessionPage extends PageOf(MemberSessionView) {}
