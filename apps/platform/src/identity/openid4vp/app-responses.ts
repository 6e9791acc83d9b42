import { createPrivateKey } from 'node:crypto';
import { SecretBox, uuidOf } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { BadRequest, UnprocessableEntity } from '@constancia/problem-json';
import { type StatusReference, verifyPresentation } from '@constancia/sd-jwt';
import { isJsonObject, type JsonObject, parseJson, readJwt, TokenRefused } from '@constancia/signed-jwt';
import { STATUS } from '@constancia/status-list';
import { Injectable } from '@nestjs/common';
import { compactDecrypt } from 'jose';
import { IdentityDatabase } from '../identity-database.ts';
import { appKeyContext } from '../presentations/app-key-context.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';
import { SignedStatusLists } from '../status-lists/signed-status-lists.ts';
import { TokenKeys } from '../token-keys/token-keys.ts';
import { CredentialIssuer } from '../wallet/credentials/credential-issuer.ts';
import { IDENTITY_VCT } from '../wallet/credentials/identity-claims.ts';
import { CREDENTIAL_QUERY, RESPONSE_ENCRYPTION } from './app-requests.ts';

/** Our own requests are a few KB. */
const MAX_REQUEST_BYTES = 16_384;

/** Where the status of a presented copy stands, and of whom it is. Ids are UUIDs. */
interface PresentedCopy {
  listId: string;
  idx: number;
  walletId: string;
  verificationId: string;
}

/** What a wallet app has proved. */
export interface PresentedCredential extends PresentedCopy {
  /** What was shown. */
  claims: JsonObject;
}

/** Reads what wallet apps answer to requests, and trusts credentials of ours alone. */
@Injectable()
export class AppResponses {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly keys: TokenKeys,
    private readonly lists: SignedStatusLists,
    private readonly issuer: CredentialIssuer,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * The credential in an encrypted answer to this request. Throws BadRequest for what is no such answer, UnprocessableEntity for one that
   * proves nothing.
   */
  async read(row: Presentation, response: string): Promise<PresentedCredential> {
    const presentation = presentationIn(await this.decrypted(row, response));
    const { client_id, nonce } = readJwt(row.app_request as string, MAX_REQUEST_BYTES).payload;
    let copy: PresentedCopy | undefined;
    const verified = await verifyPresentation(presentation, {
      vct: [IDENTITY_VCT],
      findIssuerKey: this.keys.finder('credential'),
      audience: client_id as string,
      nonce: nonce as string,
      status: async (reference) => {
        const found = await this.copyAt(reference);
        copy = found?.copy;
        return found?.status ?? STATUS.revoked;
      },
    }).catch(refuse);
    if (verified.claims.iss !== this.issuer.name || copy === undefined) throw unproved('issuer', 'another issuer');
    return { ...copy, claims: verified.claims };
  }

  /** Whether the copy is still valid, in the transaction that uses it. */
  async isValid(tx: Tx, { listId, idx }: PresentedCopy): Promise<boolean> {
    return (await statusAt(tx, listId, idx))?.status === STATUS.valid;
  }

  private async decrypted({ id, app_key_sealed }: Presentation, response: string): Promise<JsonObject> {
    const bytes = this.secrets.open(app_key_sealed as Buffer, appKeyContext(id));
    const key = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
    const { alg, enc } = RESPONSE_ENCRYPTION;
    const options = { keyManagementAlgorithms: [alg], contentEncryptionAlgorithms: enc };
    const { plaintext } = await compactDecrypt(response, key, options).catch(() => {
      throw unproved('encryption', 'it is not encrypted with the key of this request');
    });
    try {
      const value = parseJson(Buffer.from(plaintext), 'the answer');
      if (isJsonObject(value)) return value;
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
    }
    throw new BadRequest('The answer is not a JSON object.');
  }

  private async copyAt({ uri, idx }: StatusReference): Promise<{ copy: PresentedCopy; status: number } | null> {
    const listId = uuidOf('stl', uri.slice(uri.lastIndexOf('/') + 1));
    if (listId === null || this.lists.addressOf(listId) !== uri) return null;
    const row = await statusAt(this.database, listId, idx);
    if (row === undefined) return null;
    const { wallet_id: walletId, verification_id: verificationId, status } = row;
    return { copy: { listId, idx, walletId, verificationId }, status };
  }
}

async function statusAt(store: Pick<Tx, 'query'>, listId: string, idx: number) {
  const [row] = await store.query<{ wallet_id: string; verification_id: string; status: number }>(
    'select * from identity.presented_credential($1, $2)',
    [listId, idx],
  );
  return row;
}

/** The one presentation of `vp_token` (OpenID4VP 1.0, section 8.1). */
function presentationIn({ vp_token: answer }: JsonObject): string {
  const presented = isJsonObject(answer ?? null) ? (answer as JsonObject)[CREDENTIAL_QUERY] : undefined;
  if (Array.isArray(presented) && presented.length === 1 && typeof presented[0] === 'string') return presented[0];
  throw new BadRequest(`vp_token must have one presentation for "${CREDENTIAL_QUERY}".`);
}

function refuse(error: unknown): never {
  throw error instanceof TokenRefused ? unproved(error.reason, error.message) : error;
}

const unproved = (reason: string, message: string) =>
  new UnprocessableEntity(`The presentation is not accepted: ${message}.`, { reason });
