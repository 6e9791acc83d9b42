import { hashSecret, isCheckedToken } from '@constancia/auth';
import type { PersonLocale, TenantStanding } from '@constancia/contracts';
import { bearerToken, type PathCredentials, type PathRequest } from '@constancia/http';
import { Injectable } from '@nestjs/common';
import type { CaptureBearer } from '../hosted/capture-tokens.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { EmbedSession } from './embed-session.entity.ts';

/** What an embed token begins with: the one in the address of the frame. */
export const EMBED_TOKEN_PREFIX = 'emt_';
/** What the token begins with that the one frame gets which opens the session. */
export const ACCESS_TOKEN_PREFIX = 'ema_';
/** How long an access token works after its last use. */
export const ACCESS_SECONDS = 600;
/** A use within this time is not written down again. */
const MARK_USE_AFTER_SECONDS = 30;

/** Whose an embed token is: a device of a flow session. Ids are UUIDs. */
export interface EmbedBearer extends CaptureBearer {
  embedId: string;
  allowedOrigins: string[];
  expiresAt: Date;
  /** Whether the request has the access token of the frame. */
  hasAccess: boolean;
}

interface ResolvedToken {
  embed_id: string;
  tenant_id: string;
  session_id: string;
  subject_id: string;
  device_id: string;
  active: boolean;
  allowed_origins: string[];
  locale: PersonLocale | null;
  expires_at: Date;
  has_access: boolean;
  idle_seconds: number | null;
  standing: TenantStanding;
}

/** Finds embed sessions by the token in a path, with the access token of the request. */
@Injectable()
export class EmbedTokens implements PathCredentials {
  constructor(private readonly database: IdentityDatabase) {}

  /** Null when the token is unknown, expired or revoked, its flow session is long over, or the subject was erased. */
  async find(token: string, { headers }: Pick<PathRequest, 'headers'>): Promise<EmbedBearer | null> {
    if (!isCheckedToken(EMBED_TOKEN_PREFIX, token)) return null;
    const [row] = await this.database.query<ResolvedToken>(
      'select e.*, platform_v1.tenant_standing(e.tenant_id) as standing from identity.resolve_embed_token($1, $2, $3) e',
      [hashSecret(token), accessHash(headers), ACCESS_SECONDS],
    );
    if (!row) return null;
    if (row.has_access && (row.idle_seconds ?? 0) > MARK_USE_AFTER_SECONDS) await this.markUse(row);
    return {
      embedId: row.embed_id,
      tokenId: row.device_id,
      tenantId: row.tenant_id,
      sessionId: row.session_id,
      subjectId: row.subject_id,
      standing: row.standing,
      device: row.active ? 'active' : 'waiting',
      shown: { return_url: null, ...(row.locale !== null && { locale: row.locale }) },
      allowedOrigins: row.allowed_origins,
      expiresAt: row.expires_at,
      hasAccess: row.has_access,
    };
  }

  private async markUse({ embed_id: id, tenant_id }: ResolvedToken): Promise<void> {
    await this.database.tenant(tenant_id, (tx) =>
      tx.manager.update(EmbedSession, { id, tenant_id }, { access_used_at: () => 'now()' }),
    );
  }
}

function accessHash(headers: PathRequest['headers']): Buffer | null {
  const token = bearerToken(headers, ACCESS_TOKEN_PREFIX);
  return token !== undefined && isCheckedToken(ACCESS_TOKEN_PREFIX, token) ? hashSecret(token) : null;
}
