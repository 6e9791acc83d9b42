import { AuditLog, changedValues } from '@constancia/auth';
import {
  ApiOptional,
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  IsMailedText,
  type Principal,
  RequireScope,
  Trimmed,
} from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { Body, Controller, Param, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsEmail,
  IsIn,
  IsObject,
  IsString,
  Length,
  Matches,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { PlatformConfig } from '../config.ts';
import { type Locale, LOCALES } from '../locale.ts';
import { OwnerEmailChanges } from '../owner-email/owner-email-changes.ts';
import { OwnerNotices } from '../owner-notices/owner-notices.ts';
import { ApiTenantId, requireOwnTenant } from '../tenants/own-tenant.ts';
import { shownTenant } from '../tenants/shown-tenant.ts';
import { TenantRow } from '../tenants/tenant.entity.ts';
import { lockTenant, tenantRow } from '../tenants/tenant-row.ts';
import { TenantView } from '../tenants/tenant-view.ts';

export class BrandingBody {
  @ApiProperty({
    type: String,
    nullable: true,
    description: '#rrggbb; null: none. The answer says on which backgrounds it can be read.',
    example: '#0b5a55',
  })
  @ValidateIf(({ color }: BrandingBody) => color !== null)
  @IsString()
  @Matches(/^#[0-9A-Fa-f]{6}$/, { message: 'must be # and six hexadecimal digits' })
  @MaxLength(7)
  color: string | null;
}

export class ChangeTenantBody {
  @ApiOptional({
    description: 'One line, without invisible characters; each word in one script.',
    example: 'Notaría Quinta',
  })
  @Trimmed()
  @IsString()
  @Length(1, 120)
  @IsMailedText()
  display_name?: string;

  @ApiOptional({ description: 'Language of mails to the tenant, and that of new members by default.' })
  @IsIn(LOCALES)
  locale?: Locale;

  @ApiOptional({ type: BrandingBody })
  @IsObject()
  @ValidateNested()
  @Type(() => BrandingBody)
  branding?: BrandingBody;

  @ApiOptional({
    description:
      'Asked for by an owner who is signed in: their own new address, or that of another active owner. It counts once it is proven. The ' +
      'present address withdraws a change that waits.',
    example: 'gerencia@notaria.example',
  })
  @IsEmail({ blacklisted_chars: '"' })
  @MaxLength(254)
  owner_email?: string;
}

/** PATCH /tenants/{id} */
@Controller('tenants')
@ApiTags('Tenants')
export class ChangeTenant {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly emails: OwnerEmailChanges,
    private readonly notices: OwnerNotices,
  ) {}

  @Patch(':id')
  @RequireScope('settings:write')
  @ApiOperation({
    operationId: 'changeTenant',
    summary: 'Change the tenant',
    description:
      'What is left out stays. Another `owner_email` waits in `pending_owner_email` for 7 days until the token that is mailed to it is used ' +
      '(`POST /tenants/{id}/owner-email/proof`, or the link in the mail); the present address is notified, with a link that stops the change. ' +
      'A later request replaces an earlier one. At most 5 such mails in 24 hours.',
  })
  @ApiTenantId()
  @ApiOkResponse({ type: TenantView })
  @ApiProblems('validation-error', 'forbidden', 'not-found', 'state-conflict', 'duplicate-key')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Param('id') id: string,
    @Body() body: ChangeTenantBody,
  ): Promise<TenantView> {
    const { tenant } = principal;
    requireOwnTenant(tenant, id);
    const view = await this.database.tenant(tenant.id, async (tx) => {
      await lockTenant(tx, tenant.id);
      if (body.owner_email !== undefined) await this.emails.request(tx, { principal, origin }, body.owner_email);
      await change(tx, principal, origin, body);
      return shownTenant(tx, tenant.id, this.config.apiUrl);
    });
    this.notices.wake();
    return view;
  }
}

async function change(tx: Tx, principal: Principal, origin: string, body: ChangeTenantBody): Promise<void> {
  const { id } = principal.tenant;
  const before = auditedTenant(await tenantRow(tx, id));
  const color = body.branding === undefined ? before.brand_color : (body.branding.color?.toLowerCase() ?? null);
  const after = {
    display_name: body.display_name ?? before.display_name,
    locale: body.locale ?? before.locale,
    brand_color: color,
  };
  const changed = changedValues(before, after);
  if (Object.keys(changed.after).length === 0) return;
  await tx.manager.update(TenantRow, { id }, after);
  const object = { kind: 'tenant', id: null };
  await AuditLog.record(tx, { principal, action: 'tenant.changed', object, ...changed, origin });
}

const auditedTenant = ({ display_name, locale, brand_color }: TenantRow) => ({ display_name, locale, brand_color });
