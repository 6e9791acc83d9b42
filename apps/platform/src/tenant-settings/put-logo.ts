import { createHash } from 'node:crypto';
import { AuditLog } from '@constancia/auth';
import {
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  type Principal,
  RawBody,
  RequireScope,
  WhileClosing,
} from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { ValidationError } from '@constancia/problem-json';
import { Controller, Delete, HttpCode, Param, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PlatformConfig } from '../config.ts';
import { PictureRefused, type PictureRefusal } from '../identity/uploads/picture-answer.ts';
import { PictureCleaner } from '../identity/uploads/picture-cleaner.ts';
import { ApiTenantId, requireOwnTenant } from '../tenants/own-tenant.ts';
import { LogoView, logoView } from '../tenants/branding-view.ts';
import { TenantLogo } from '../tenants/tenant-logo.entity.ts';
import { lockTenant } from '../tenants/tenant-row.ts';

const LIMIT_BYTES = 256 * 1024;
const OBJECT = { kind: 'tenant_logo', id: null };

const REFUSALS: Record<PictureRefusal, string> = {
  unreadable: 'This is no PNG, JPEG or WebP picture, or it is damaged.',
  too_many_pixels: 'The picture has more than 4,194,304 pixels: make it smaller.',
  animated: 'The picture is animated: send one image.',
};

/** PUT and DELETE /tenants/{id}/logo. What is kept was encoded again by us: pixels, and nothing else of the file. */
@Controller('tenants')
@ApiTags('Tenants')
export class PutLogo {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly cleaner: PictureCleaner,
  ) {}

  @Put(':id/logo')
  @RequireScope('settings:write')
  @ApiOperation({
    operationId: 'putLogo',
    summary: 'Set the logo',
    description:
      'A PNG, JPEG or WebP of at most 256 KB and 4 megapixels. It is kept as a PNG of at most 512 pixels a side and 256 colours, with what is ' +
      'transparent and without anything else of the file. Anybody can load it from `url`; the address of the former logo ends.',
  })
  @ApiTenantId()
  @ApiOkResponse({ type: LogoView })
  @ApiProblems('validation-error', 'not-found', 'dependency-unavailable')
  async put(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Param('id') id: string,
    @RawBody(['image/png', 'image/jpeg', 'image/webp'], LIMIT_BYTES) bytes: Buffer,
  ): Promise<LogoView> {
    const { tenant } = principal;
    requireOwnTenant(tenant, id);
    const { png, width, height } = await this.cleaner.logo(bytes).catch(throwAsProblem);
    const sha256 = createHash('sha256').update(png).digest();
    const logo = { tenant_id: tenant.id, sha256, width, height, bytes: png, created_at: new Date() };
    await this.database.tenant(tenant.id, async (tx) => {
      const before = await lockedLogo(tx, tenant.id);
      await (before === null
        ? tx.manager.insert(TenantLogo, logo)
        : tx.manager.update(TenantLogo, { tenant_id: tenant.id }, logo));
      const values = { before: auditedLogo(before), after: auditedLogo(logo) };
      await AuditLog.record(tx, { principal, action: 'tenant_logo.changed', object: OBJECT, ...values, origin });
    });
    return logoView(logo, this.config.apiUrl);
  }

  @Delete(':id/logo')
  @RequireScope('settings:write')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteLogo',
    summary: 'Remove the logo',
    description: 'Its public address ends at once. 204 too when there is none.',
  })
  @ApiTenantId()
  @ApiNoContentResponse({ description: 'The tenant has no logo.' })
  @ApiProblems('not-found')
  async delete(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Param('id') id: string,
  ): Promise<void> {
    const { tenant } = principal;
    requireOwnTenant(tenant, id);
    await this.database.tenant(tenant.id, async (tx) => {
      const before = await lockedLogo(tx, tenant.id);
      if (before === null) return;
      await tx.manager.delete(TenantLogo, { tenant_id: tenant.id });
      const values = { before: auditedLogo(before), after: auditedLogo(null) };
      await AuditLog.record(tx, { principal, action: 'tenant_logo.changed', object: OBJECT, ...values, origin });
    });
  }
}

/** The logo; others who change the tenant's wait. */
async function lockedLogo(tx: Tx, tenantId: string): Promise<TenantLogo | null> {
  await lockTenant(tx, tenantId);
  return tx.manager.findOneBy(TenantLogo, { tenant_id: tenantId });
}

const auditedLogo = (logo: Pick<TenantLogo, 'sha256'> | null) => ({ sha256: logo?.sha256.toString('hex') ?? null });

function throwAsProblem(error: unknown): never {
  if (!(error instanceof PictureRefused)) throw error;
  throw new ValidationError([{ pointer: '', code: error.refusal, detail: REFUSALS[error.refusal] }]);
}
