import { OAuthRefused } from '@constancia/problem-json';
import { type HolderKey, verifyKeyProof } from '@constancia/sd-jwt';
import { isJsonObject, TokenRefused } from '@constancia/signed-jwt';
import { MAX_COPIES } from '../credentials/credential-issuer.ts';
import { IDENTITY_CONFIGURATION } from './issuer-addresses.ts';

/** What a wallet app asks for: a copy for each key, all with one nonce. */
export interface ProvedRequest {
  holderKeys: HolderKey[];
  nonce: string;
}

/** Reads a credential request (OpenID4VCI, section 8.2) and verifies its proofs. Members that it does not know are ignored. Throws OAuthRefused. */
export async function readCredentialRequest(body: unknown, issuer: string): Promise<ProvedRequest> {
  if (!isJsonObject(body)) throw new OAuthRefused('invalid_credential_request', 'The request is not a JSON object.');
  checkConfiguration(body);
  const proofs = proofsOf(body.proofs);
  const verified = await Promise.all(proofs.map((proof) => verifyKeyProof(proof, { issuer }))).catch(refuse);
  const nonces = new Set(verified.map(({ nonce }) => nonce));
  if (nonces.size !== 1) throw new OAuthRefused('invalid_proof', 'The proofs have different nonces.');
  const holderKeys = verified.map(({ key }) => key);
  if (new Set(holderKeys.map(({ x, y }) => `${x} ${y}`)).size !== holderKeys.length)
    throw new OAuthRefused('invalid_proof', 'Two proofs have one key.');
  return { holderKeys, nonce: [...nonces][0] as string };
}

function checkConfiguration(body: Record<string, unknown>): void {
  const { credential_configuration_id: asked, credential_identifier: identifier } = body;
  if (body.credential_response_encryption !== undefined)
    throw new OAuthRefused('invalid_encryption_parameters', 'Answers are not encrypted.');
  if (identifier !== undefined)
    throw new OAuthRefused('unknown_credential_identifier', 'Give credential_configuration_id instead.');
  if (typeof asked !== 'string')
    throw new OAuthRefused('invalid_credential_request', 'The request has no credential_configuration_id.');
  if (asked !== IDENTITY_CONFIGURATION)
    throw new OAuthRefused('unknown_credential_configuration', 'There is no such credential_configuration_id.');
}

function proofsOf(proofs: unknown): string[] {
  const jwts: unknown = isJsonObject(proofs) ? proofs.jwt : undefined;
  const isList = Array.isArray(jwts) && jwts.length >= 1 && jwts.length <= MAX_COPIES;
  if (!isList || !jwts.every((jwt) => typeof jwt === 'string'))
    throw new OAuthRefused('invalid_proof', `proofs.jwt is not an array of 1 to ${MAX_COPIES} proofs.`);
  return jwts as string[];
}

function refuse(error: unknown): never {
  if (error instanceof TokenRefused) throw new OAuthRefused('invalid_proof', `A proof is refused: ${error.message}.`);
  throw error;
}
