import { AuditLog, changedValues } from '@constancia/auth';
import { type Role, ROLES } from '@constancia/contracts';
import {
  actorOf,
  ApiOptional,
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  IsMailedText,
  type Principal,
  RequireScope,
  Trimmed,
  WhileClosing,
} from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Body, Controller, Param, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { type Locale, LOCALES } from '../locale.ts';
import { lockTenant } from '../tenants/tenant-row.ts';
import { Member } from './member.entity.ts';
import { MemberMails } from './member-mails.ts';
import { MemberView } from './member-view.ts';
import { type Caller, memberObject, memberOf, requireAnotherOwner, requireMayAssign } from './members.ts';

const SETTABLE_STATUSES = ['active', 'suspended'] as const;

export class ChangeMemberBody {
  @ApiOptional({ enumName: 'Role', description: 'Only owners give and take the role `owner`.' })
  @IsIn(ROLES)
  role?: Role;

  @ApiOptional({
    description: '`suspended` ends every session within a second; `active` lets the member sign in again.',
  })
  @IsIn(SETTABLE_STATUSES)
  status?: (typeof SETTABLE_STATUSES)[number];

  @ApiOptional({ example: 'Ana Ruiz' })
  @Trimmed()
  @IsString()
  @Length(1, 120)
  @IsMailedText()
  name?: string;

  @ApiOptional({ description: 'The language of their mails.' })
  @IsIn(LOCALES)
  locale?: Locale;
}

/** PATCH /v1/members/{id} */
@Controller('v1/members')
@ApiTags('Members')
export class ChangeMember {
  constructor(
    private readonly database: Database,
    private readonly mails: MemberMails,
  ) {}

  @Patch(':id')
  @RequireScope('members:write')
  @WhileClosing()
  @ApiOperation({
    operationId: 'changeMember',
    summary: 'Change a member',
    description:
      'What is left out stays. Another role counts within a second, also for tokens that were issued before. At least one owner who can ' +
      'act must remain: else 409. Only owners change owners.',
  })
  @ApiOkResponse({ type: MemberView })
  @ApiProblems('validation-error', 'forbidden', 'not-found', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Param('id') id: string,
    @Body() body: ChangeMemberBody,
  ): Promise<MemberView> {
    const { tenant } = principal;
    const view = await this.database.tenant(tenant.id, async (tx) => {
      await lockTenant(tx, tenant.id);
      const member = await memberOf(tx, tenant.id, id);
      return MemberView.of(await change(tx, { principal, origin }, member, body));
    });
    this.mails.wake();
    return view;
  }
}

async function change(tx: Tx, { principal, origin }: Caller, member: Member, body: ChangeMemberBody): Promise<Member> {
  const role = body.role ?? member.role;
  const status = body.status ?? member.status;
  if (member.role === 'owner') requireMayAssign(principal, 'owner');
  if (role !== member.role) requireMayAssign(principal, role);
  if (member.status === 'invited' && status === 'active') {
    throw new StateConflict('The member has not accepted the invitation: only opening its link makes them active.');
  }
  if (role !== 'owner' || status === 'suspended') await requireAnotherOwner(tx, member);
  // Somebody who was suspended before they joined has to be invited again.
  const resumed = status === 'active' && member.activated_at === null ? 'invited' : status;
  const columns = { role, status: resumed, name: body.name ?? member.name, locale: body.locale ?? member.locale };
  await tx.manager.update(Member, { id: member.id, tenant_id: member.tenant_id }, columns);
  if (role !== member.role) {
    const detail = { name: columns.name, role, by: actorOf(undefined, principal) };
    await tx.query('select platform.mail_owners($1, $2, $3)', [
      member.tenant_id,
      'role_changed',
      JSON.stringify(detail),
    ]);
  }
  const changed = changedValues(auditedMember(member), auditedMember({ ...member, ...columns }));
  await AuditLog.record(tx, { principal, action: 'member.changed', object: memberObject(member), ...changed, origin });
  return { ...member, ...columns };
}

/** Without name and address: nothing is ever taken out of the audit log. */
const auditedMember = ({ role, status, locale }: Member) => ({ role, status, locale });
