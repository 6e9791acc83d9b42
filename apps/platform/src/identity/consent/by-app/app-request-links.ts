import { hashSecret } from '@constancia/auth';
import type { TenantStanding } from '@constancia/contracts';
import type { CredentialHolder, PathCredentials } from '@constancia/http';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../../identity-database.ts';

/** The kind of credential that the token in the address of a request to wallet apps is (PathCredential). */
export const APP_REQUEST = 'app-request';
/** 32 random bytes, base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export interface AppRequestBearer extends CredentialHolder {
  /** UUID. */
  presentationId: string;
}

/** The addresses of requests to wallet apps. One that is unknown, answered or over is nobody's. */
@Injectable()
export class AppRequestLinks implements PathCredentials {
  constructor(private readonly database: IdentityDatabase) {}

  async find(token: string): Promise<AppRequestBearer | null> {
    if (!TOKEN.test(token)) return null;
    const [row] = await this.database.query<{ id: string; tenant_id: string; standing: TenantStanding }>(
      'select p.*, platform_v1.tenant_standing(p.tenant_id) as standing from identity.find_presentation_of_app($1) p',
      [hashSecret(token)],
    );
    return row ? { tenantId: row.tenant_id, standing: row.standing, presentationId: row.id } : null;
  }
}
