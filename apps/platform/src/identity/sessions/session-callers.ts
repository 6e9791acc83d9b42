import { type CredentialHolder, pathUuid, type Principal } from '@constancia/http';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { checkOwn, checkScope, isPersonBearer, type PersonScope } from '../subjects/person-bearer.ts';
import { type SessionBearer, type SessionCaller, sessionCaller, subjectCaller } from './session-access.ts';
import { sessionRow } from './session-changes.ts';

/** Who acts on a session, also by a person's access token. */
@Injectable()
export class SessionCallers {
  constructor(private readonly database: IdentityDatabase) {}

  /** As `sessionCaller`. For a person who lacks the scope Unauthorized, and NotFound for a session that is not about them. */
  async of(
    principal: Principal | undefined,
    holder: CredentialHolder | undefined,
    id: string,
    scope: PersonScope,
  ): Promise<SessionCaller> {
    if (principal !== undefined || !isPersonBearer(holder))
      return sessionCaller(principal, holder as SessionBearer | undefined, id);
    checkScope(holder, scope);
    const { tenantId } = holder;
    const sessionId = pathUuid('fls', id);
    const { subject_id } = await this.database.tenant(tenantId, (tx) => sessionRow(tx, tenantId, sessionId));
    await checkOwn(holder, subject_id, 'evidence_and_document');
    return subjectCaller(tenantId, sessionId);
  }
}
