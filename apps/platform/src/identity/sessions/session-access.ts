import type { Acting, TenantStanding } from '@constancia/contracts';
import { actingOf, type CredentialHolder, pathUuid, type Principal } from '@constancia/http';

import { typeId } from '@constancia/kernel';
import { Unauthorized } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { sessionTokenHash } from './session-token.ts';

/** Whose a session token is. Ids are UUIDs. */
export interface SessionBearer extends CredentialHolder {
  sessionId: string;
  subjectId: string;
}

/** Who acts on a session: a principal of the tenant, or the subject, by the session's token or an access token of theirs. */
export interface SessionCaller extends Acting {
  tenantId: string;
  /** UUID. */
  sessionId: string;
  bearer: boolean;
}

interface ResolvedToken {
  session_id: string;
  tenant_id: string;
  subject_id: string;
  standing: TenantStanding;
}

/** Resolves session tokens. */
@Injectable()
export class SessionTokens {
  constructor(private readonly database: IdentityDatabase) {}

  /** Whose a token is; null when it is nobody's, or has been out of use for a day. */
  async find(token: string): Promise<SessionBearer | null> {
    const hash = sessionTokenHash(token);
    if (hash === null) return null;
    const [row] = await this.database.query<ResolvedToken>(
      'select s.*, platform_v1.tenant_standing(s.tenant_id) as standing from identity.resolve_session_token($1) s',
      [hash],
    );
    if (!row) return null;
    const { session_id: sessionId, tenant_id: tenantId, subject_id: subjectId, standing } = row;
    return { sessionId, tenantId, subjectId, standing };
  }
}

/** The line of a trail for the subject. */
const SUBJECT = { actor: 'subject' };

/**
 * Who acts on the session of this TypeID. A token is good for its own session alone: Unauthorized elsewhere. Throws NotFound for
 * what is no session's id; whether the tenant has the session, its row says.
 */
export function sessionCaller(
  principal: Principal | undefined,
  bearer: SessionBearer | undefined,
  id: string,
): SessionCaller {
  if (principal) {
    const sessionId = pathUuid('fls', id);
    return { tenantId: principal.tenant.id, sessionId, ...actingOf(undefined, principal), bearer: false };
  }
  if (bearer === undefined || typeId('fls', bearer.sessionId) !== id) {
    throw new Unauthorized('This session token is of another session.');
  }
  return subjectCaller(bearer.tenantId, bearer.sessionId);
}

/** The subject of a session, whatever proved who they are. */
export function subjectCaller(tenantId: string, sessionId: string): SessionCaller {
  return { tenantId, sessionId, ...SUBJECT, by: { kind: 'session', id: sessionId, name: SUBJECT.actor }, bearer: true };
}
