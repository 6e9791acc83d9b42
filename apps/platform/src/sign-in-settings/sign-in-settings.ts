import { AuditLog, changedValues } from '@constancia/auth';
import type { Principal } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { Forbidden, StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, ValidateIf } from 'class-validator';
import { MemberSession } from '../members/member-session.entity.ts';
import { lockMembers } from '../members/members.ts';
import { REQUIRED_METHODS, type RequiredMethod, SignInSettingsRow } from './sign-in-settings.entity.ts';

export class SignInSettingsBody {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The method that every sign-in has to use; null: members choose.',
    example: 'passkey',
  })
  @ValidateIf((body: SignInSettingsBody) => body.required_method !== null)
  @IsIn([...REQUIRED_METHODS, null])
  required_method: RequiredMethod | null;
}

export class SignInSettingsView {
  @ApiProperty({ type: String, enum: [...REQUIRED_METHODS, null], nullable: true, example: 'passkey' })
  required_method: RequiredMethod | null;
}

/** What a tenant requires of the sign-in of its members. The store applies it where a session begins (platform.open_member_session). */
@Injectable()
export class SignInSettings {
  constructor(private readonly database: Database) {}

  of(tenantId: string): Promise<SignInSettingsView> {
    return this.database.tenant(tenantId, (tx) => settingsOf(tx, tenantId));
  }

  /**
   * Replaces them; a trigger ends the sessions that do not meet them. Only an owner who signed in with the method may require it, so that
   * at least one owner can sign in afterwards. Throws Forbidden, StateConflict.
   */
  put(principal: Principal, { required_method }: SignInSettingsBody, origin: string): Promise<SignInSettingsView> {
    const { id } = principal.tenant;
    if (principal.kind !== 'member' || principal.role !== 'owner') {
      throw new Forbidden(
        'Only a member with the role owner, signed in to the console, may change how members sign in.',
      );
    }
    return this.database.tenant(id, async (tx) => {
      await lockMembers(tx, id);
      if (required_method !== null) await requireSignedInWith(tx, principal, required_method);
      const before = await settingsOf(tx, id);
      const after = { required_method };
      await tx.query(
        `insert into platform.sign_in_settings (tenant_id, required_method) values ($1, $2)
         on conflict (tenant_id) do update set required_method = excluded.required_method`,
        [id, required_method],
      );
      const object = { kind: 'sign_in_settings', id: null };
      const values = changedValues({ ...before }, { ...after });
      await AuditLog.record(tx, { principal, action: 'sign_in_settings.changed', object, ...values, origin });
      return after;
    });
  }
}

async function requireSignedInWith(tx: Tx, { sessionId, tenant }: Principal, method: RequiredMethod): Promise<void> {
  const session = await tx.manager.findOneBy(MemberSession, { id: sessionId as string, tenant_id: tenant.id });
  if (session?.method === method) return;
  throw new StateConflict(
    method === 'passkey'
      ? 'Sign in with your own passkey before you require passkeys: else you could lock yourself out.'
      : 'Sign in through your identity provider before you require it: else you could lock yourself out.',
  );
}

async function settingsOf(tx: Tx, tenantId: string): Promise<SignInSettingsView> {
  const row = await tx.manager.findOneBy(SignInSettingsRow, { tenant_id: tenantId });
  return { required_method: row?.required_method ?? null };
}
