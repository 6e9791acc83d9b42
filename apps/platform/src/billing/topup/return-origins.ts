import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { RegisteredOrigins } from '../../registered-origins/registered-origins.ts';
import { ReturnOriginsRow } from './return-origins.entity.ts';

/** The origins that a tenant's payers may be sent back to. */
@Injectable()
export class ReturnOrigins extends RegisteredOrigins {
  constructor({ environment }: PlatformConfig, database: Database) {
    super(environment, database, {
      row: ReturnOriginsRow,
      object: 'return_origins',
      action: 'return_origins.changed',
      registeredBy: 'PUT /v1/billing/return-origins',
    });
  }

  /** Throws ValidationError unless the address is of a registered origin. */
  requireUrl(tenantId: string, returnUrl: string): Promise<void> {
    const origin = URL.canParse(returnUrl) ? new URL(returnUrl).origin : 'of this address';
    return this.require(tenantId, [{ pointer: '/return_url', origin }]);
  }
}
