import { ES256, digest, generateSalt } from '@sd-jwt/crypto-nodejs';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import type { SDJWTVCConfig } from '@sd-jwt/sd-jwt-vc';
import type { Es256Keys } from '../../../libs/signed-jwt/src/es256-keys.fixture.ts';

/** @sd-jwt as issuer, holder and verifier with the same keys as ours. */
export async function peerOf(
  issuer: Es256Keys,
  holder: Es256Keys,
  statusListFetcher?: SDJWTVCConfig['statusListFetcher'],
): Promise<SDJwtVcInstance> {
  const config: SDJWTVCConfig = {
    signer: await ES256.getSigner(issuer.privateJwk),
    verifier: await ES256.getVerifier(issuer.jwk),
    signAlg: 'ES256',
    hasher: digest,
    hashAlg: 'sha-256',
    saltGenerator: generateSalt,
    kbSigner: await ES256.getSigner(holder.privateJwk),
    kbSignAlg: 'ES256',
    kbVerifier: async (data, signature, payload) => {
      const verify = await ES256.getVerifier((payload.cnf as { jwk: object }).jwk);
      return verify(data, signature);
    },
    statusListFetcher,
  };
  return new SDJwtVcInstance(config);
}
