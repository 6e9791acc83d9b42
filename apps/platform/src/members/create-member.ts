import { AuditLog } from '@constancia/auth';
import { type Role, ROLES } from '@constancia/contracts';
import {
  actorOf,
  ApiOptional,
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  Idempotent,
  IdempotencyKey,
  IsMailedText,
  type Principal,
  REPLAYED_HEADER,
  RequireScope,
  sendStored,
  Trimmed,
  WhileClosing,
} from '@constancia/http';
import { Idempotency, requestFingerprint } from '@constancia/idempotency';
import { uuidv7 } from '@constancia/kernel';
import { Database, isUniqueViolation, type Tx } from '@constancia/persistence';
import { DuplicateKey, StateConflict } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsEmail, IsIn, IsString, Length, MaxLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { type Locale, LOCALES } from '../locale.ts';
import { lockTenant, tenantRow } from '../tenants/tenant-row.ts';
import { Member } from './member.entity.ts';
import { MemberMails } from './member-mails.ts';
import { MemberView } from './member-view.ts';
import { type Caller, MAX_MEMBERS, memberObject, requireMayAssign } from './members.ts';

export class CreateMemberBody {
  @ApiProperty({ description: 'Where the invitation and the codes are sent.', example: 'ana.ruiz@notaria.example' })
  @Trimmed()
  @IsEmail({ blacklisted_chars: '"' })
  @MaxLength(254)
  email: string;

  @ApiProperty({ description: 'As trails show it: one line, each word in one script.', example: 'Ana Ruiz' })
  @Trimmed()
  @IsString()
  @Length(1, 120)
  @IsMailedText()
  name: string;

  @ApiProperty({ enumName: 'Role', example: 'analyst' })
  @IsIn(ROLES)
  role: Role;

  @ApiOptional({ description: 'The language of their mails. Left out: that of the tenant.' })
  @IsIn(LOCALES)
  locale?: Locale;
}

/** POST /v1/members: invites a person. */
@Controller('v1/members')
@ApiTags('Members')
export class CreateMember {
  constructor(
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    private readonly mails: MemberMails,
  ) {}

  @Post()
  @RequireScope('members:write')
  @WhileClosing()
  @HttpCode(201)
  @Idempotent()
  @ApiOperation({
    operationId: 'createMember',
    summary: 'Invite a member',
    description:
      'A mail with a link, valid for 7 days and one use, asks the person to join; it waits until the address of the tenant’s owner is ' +
      'verified. You can give a role only if you hold its scopes, and `owner` only as an owner who is signed in. Every owner is notified.',
  })
  @ApiCreatedResponse({ type: MemberView, headers: REPLAYED_HEADER })
  @ApiProblems('validation-error', 'forbidden', 'state-conflict', 'duplicate-key')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Body() body: CreateMemberBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @IdempotencyKey() key?: string,
  ): Promise<string> {
    requireMayAssign(principal, body.role);
    const { tenant } = principal;
    const identity = { method: 'POST', route: '/v1/members', body };
    const request = key === undefined ? undefined : { key, fingerprint: requestFingerprint(identity) };
    const { answer, replayed } = await this.database.tenant(tenant.id, (tx) => {
      const work = () => this.invite(tx, { principal, origin }, body);
      return this.idempotency.once(tx, tenant.id, request, { status: 201, work, secret: true }); // a person's address
    });
    this.mails.wake();
    return sendStored(reply, answer, replayed);
  }

  private async invite(tx: Tx, { principal, origin }: Caller, body: CreateMemberBody): Promise<MemberView> {
    const { tenant } = principal;
    await lockTenant(tx, tenant.id);
    const members = await tx.manager.find(Member, { where: { tenant_id: tenant.id }, take: MAX_MEMBERS });
    if (members.length >= MAX_MEMBERS) {
      throw new StateConflict(`A tenant has at most ${MAX_MEMBERS} members: remove one first.`);
    }
    const member: Member = {
      id: uuidv7(),
      tenant_id: tenant.id,
      email: body.email,
      name: body.name,
      role: body.role,
      status: 'invited',
      locale: body.locale ?? (await tenantRow(tx, tenant.id)).locale,
      created_by: actorOf(undefined, principal),
      created_at: new Date(),
      activated_at: null,
      sso_subject: null,
      invitation_ends_at: null,
      sso_only: false,
    };
    try {
      await tx.manager.insert(Member, member);
    } catch (error) {
      if (!isUniqueViolation(error, 'member_email')) throw error;
      throw new DuplicateKey('A member with this email exists already.');
    }
    await tx.query('select platform.mail_member($1, $2, $3)', [tenant.id, member.id, 'invitation']);
    const detail = { name: member.name, role: member.role, by: member.created_by };
    await tx.query('select platform.mail_owners($1, $2, $3)', [tenant.id, 'member_added', JSON.stringify(detail)]);
    const after = { role: member.role };
    await AuditLog.record(tx, { principal, action: 'member.invited', object: memberObject(member), after, origin });
    return MemberView.of(member);
  }
}
