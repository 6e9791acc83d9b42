import type { Tenant } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import { Unauthorized } from '@constancia/problem-json';
import { sessionUuid } from './session-changes.ts';
import { sessionTokenHash } from './session-token.ts';

/** Whose a session token is. Ids are UUIDs. */
export interface SessionBearer {
  sessionId: string;
  tenantId: string;
  subjectId: string;
}

/** Who acts on a session: the tenant, by its key, or the subject, by the session's token. */
export interface SessionCaller {
  tenantId: string;
  /** UUID. */
  sessionId: string;
  /** For the trail: the key's prefix, or `subject`. */
  actor: string;
  bearer: boolean;
}

/** Knows who may act on a session. */
export class SessionAccess {
  constructor(private readonly database: Database) {}

  /** Whose a token is; null when it is nobody's, or has been out of use for a day. */
  async bearerOf(token: string): Promise<SessionBearer | null> {
    const hash = sessionTokenHash(token);
    if (hash === null) return null;
    const [row] = await this.database.query<{ session_id: string; tenant_id: string; subject_id: string }>(
      'select * from identity.resolve_session_token($1)',
      [hash],
    );
    return row ? { sessionId: row.session_id, tenantId: row.tenant_id, subjectId: row.subject_id } : null;
  }

  /**
   * Who acts on the session of this TypeID. A token is good for its own session alone: Unauthorized elsewhere. Throws NotFound for
   * what is no session's id; whether the tenant has the session, its row says.
   */
  async callerOf(tenant: Tenant | undefined, token: string | undefined, id: string): Promise<SessionCaller> {
    if (tenant) return { tenantId: tenant.id, sessionId: sessionUuid(id), actor: tenant.keyPrefix, bearer: false };
    const bearer = token === undefined ? null : await this.bearerOf(token);
    if (bearer === null || typeId('fls', bearer.sessionId) !== id) {
      throw new Unauthorized('The session token is unknown, expired or of another session.');
    }
    return { tenantId: bearer.tenantId, sessionId: bearer.sessionId, actor: 'subject', bearer: true };
  }
}
