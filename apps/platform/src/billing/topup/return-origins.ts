import { AuditLog, changedValues } from '@constancia/auth';
import type { Principal } from '@constancia/http';
import { ValidationError } from '@constancia/problem-json';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { ReturnOriginsRow } from './return-origins.entity.ts';

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** The origins that a tenant's payers may be sent back to. */
@Injectable()
export class ReturnOrigins {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
  ) {}

  list(tenantId: string): Promise<string[]> {
    return this.database.tenant(tenantId, async (tx) => {
      const row = await tx.manager.findOneBy(ReturnOriginsRow, { tenant_id: tenantId });
      return row?.origins ?? [];
    });
  }

  /** Replaces them. Throws ValidationError for what is no origin of https (or of this machine, in a sandbox). */
  async put(principal: Principal, origins: readonly string[], origin: string): Promise<string[]> {
    const errors = origins.flatMap((text, index) =>
      this.isAllowed(text)
        ? []
        : [{ pointer: `/origins/${index}`, code: 'wrong_format', detail: this.rule('Give an origin') }],
    );
    if (errors.length > 0) throw new ValidationError(errors);
    const unique = [...new Set(origins)];
    const tenantId = principal.tenant.id;
    await this.database.tenant(tenantId, async (tx) => {
      const row = await tx.manager.findOneBy(ReturnOriginsRow, { tenant_id: tenantId });
      await tx.query(
        `insert into platform.return_origins (tenant_id, origins) values ($1, $2)
         on conflict (tenant_id) do update set origins = excluded.origins, updated_at = now()`,
        [tenantId, unique],
      );
      const object = { kind: 'return_origins', id: null };
      const values = changedValues({ origins: row?.origins ?? [] }, { origins: unique });
      await AuditLog.record(tx, { principal, action: 'return_origins.changed', object, ...values, origin });
    });
    return unique;
  }

  /** Throws ValidationError unless the address is of a registered origin. */
  async require(tenantId: string, returnUrl: string): Promise<void> {
    const origin = URL.canParse(returnUrl) ? new URL(returnUrl).origin : 'of this address';
    if (this.isAllowed(origin) && (await this.list(tenantId)).includes(origin)) return;
    const detail = `Register the origin ${origin} first: PUT /v1/billing/return-origins.`;
    throw new ValidationError([{ pointer: '/return_url', code: 'not_allowed', detail }]);
  }

  private isAllowed(text: string): boolean {
    if (!URL.canParse(text)) return false;
    const { origin, protocol } = new URL(text);
    if (origin !== text) return false;
    return protocol === 'https:' || (this.config.environment === 'sandbox' && LOOPBACK.test(origin));
  }

  private rule(begin: string): string {
    const also = this.config.environment === 'sandbox' ? ', or http://localhost with a port' : '';
    return `${begin} as https://name, without a path${also}.`;
  }
}
