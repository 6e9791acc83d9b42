import type { Principal } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, ValidateIf } from 'class-validator';
import { lockTenant } from '../tenants/tenant-row.ts';
import { requiredMethodOf, requireOwner, setRequiredMethod } from './required-method.ts';
import { REQUIRED_METHODS, type RequiredMethod } from './sign-in-settings.entity.ts';

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
    return this.database.tenant(tenantId, async (tx) => ({ required_method: await requiredMethodOf(tx, tenantId) }));
  }

  /** Replaces them; a trigger ends the sessions that do not meet them. Throws Forbidden, StateConflict. */
  put(principal: Principal, { required_method }: SignInSettingsBody, origin: string): Promise<SignInSettingsView> {
    const { id } = principal.tenant;
    requireOwner(principal);
    return this.database.tenant(id, async (tx) => {
      await lockTenant(tx, id);
      await setRequiredMethod(tx, principal, required_method, origin);
      return { required_method };
    });
  }
}
