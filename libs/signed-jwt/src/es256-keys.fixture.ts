import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import { localEs256Signer } from './jwt-signer.ts';
import type { JwtSigner } from './jwt-signer.ts';

export interface Es256Keys {
  privateKey: KeyObject;
  publicKey: KeyObject;
  jwk: JWK & { kty: 'EC'; crv: 'P-256'; x: string; y: string };
  privateJwk: JWK;
  signer: JwtSigner;
}

/** A fresh key pair, in every form that tests need. */
export function es256Keys(): Es256Keys {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    privateKey,
    publicKey,
    jwk: publicKey.export({ format: 'jwk' }) as Es256Keys['jwk'],
    privateJwk: privateKey.export({ format: 'jwk' }) as JWK,
    signer: localEs256Signer(privateKey),
  };
}
