import { uuidOf } from '@constancia/kernel';
import { checkTimes, type JsonObject, nowInSeconds, TokenRefused, verifyJwt } from '@constancia/signed-jwt';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../../config.ts';
import type { PersonBearer } from '../../subjects/person-bearer.ts';
import { TokenKeys } from '../../token-keys/token-keys.ts';
import { RegisteredClients } from '../clients/registered-clients.ts';
import { Accounts } from '../provider/accounts.ts';
import { API_RESOURCE, GRANT_CLAIM, OIDC_PATH } from '../provider/oidc-issuer.ts';
import { asProblem, OidcRecords } from '../store/oidc-records.ts';
import { OwnSubjects } from './own-subjects.ts';

const TYP = 'at+jwt';
const KEY_SET = 'openid';
const MAX_BYTES = 4_096;

/** What a token says that this provider signed for the API. */
interface Claims {
  clientId: string;
  tenantId: string;
  sub: string;
  scopes: ReadonlySet<string>;
  grantHash: Buffer;
  issuedAt: number;
}

/** Access tokens of persons for the API (RFC 9068). Signed tokens are stored nowhere: what they depend on is looked up at every use. */
@Injectable()
export class PersonTokens {
  private readonly issuer: string;

  constructor(
    config: PlatformConfig,
    private readonly keys: TokenKeys,
    private readonly clients: RegisteredClients,
    private readonly records: OidcRecords,
    private readonly accounts: Accounts,
    private readonly subjects: OwnSubjects,
  ) {
    this.issuer = `${config.apiUrl}${OIDC_PATH}`;
  }

  /**
   * Null when it is no such token, and once its client is deleted, its tenant suspended or closed, its grant ended, or its wallet erased or
   * recovered.
   */
  async find(token: string): Promise<PersonBearer | null> {
    const claims = await this.claimsOf(token).catch((error: unknown) => {
      if (error instanceof TokenRefused) return null;
      throw error;
    });
    return claims === null ? null : this.bearerOf(claims).catch(asProblem);
  }

  private async claimsOf(token: string): Promise<Claims | null> {
    const { payload } = await verifyJwt(token, { typ: TYP, findKey: this.keys.finder(KEY_SET), maxBytes: MAX_BYTES });
    checkTimes(payload, nowInSeconds());
    const { iss, aud, cnf } = payload;
    // Bound to a key (cnf), it is no bearer token.
    return iss === this.issuer && aud === API_RESOURCE && cnf === undefined ? readClaims(payload) : null;
  }

  private async bearerOf({ grantHash, clientId, tenantId, ...claims }: Claims): Promise<PersonBearer | null> {
    const [client, grant] = await Promise.all([this.clients.find(clientId), this.records.grant(grantHash)]);
    if (client === undefined || client.tenant_id !== tenantId) return null;
    if (grant?.accountId === undefined || grant.clientId !== clientId) return null;
    const walletId = grant.accountId;
    if ((await this.accounts.subject(walletId, { tenant_id: tenantId })) !== claims.sub) return null;
    if (!(await this.accounts.isSignedIn(walletId, claims.issuedAt))) return null;
    return {
      kind: 'person',
      tenantId,
      standing: 'active', // of no other is a client found
      scopes: claims.scopes,
      owns: (subjectId, by) => this.subjects.owns({ tenantId, walletId }, subjectId, by),
    };
  }
}

function readClaims(payload: JsonObject): Claims | null {
  const { client_id: clientId, tenant_id: tenantId, sub, scope, exp, iat, [GRANT_CLAIM]: grant } = payload;
  if (typeof clientId !== 'string' || uuidOf('oic', clientId) === null || typeof tenantId !== 'string') return null;
  if (typeof sub !== 'string' || typeof grant !== 'string') return null;
  if (typeof exp !== 'number' || typeof iat !== 'number') return null;
  const scopes = new Set(typeof scope === 'string' ? scope.split(' ') : []);
  return { clientId, tenantId, sub, scopes, grantHash: Buffer.from(grant, 'base64url'), issuedAt: iat };
}
