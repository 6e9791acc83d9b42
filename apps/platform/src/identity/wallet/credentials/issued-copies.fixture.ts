import type { KeyObject } from 'node:crypto';
import type { RunningPlatform } from '../../../running-platform.fixture.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { Wallets } from '../me/wallets.ts';
import { CredentialIssuer } from './credential-issuer.ts';

/** A credential of the last verification of a wallet: a copy for each public key. */
export async function issuedCopies({ app }: RunningPlatform, walletId: string, keys: KeyObject[]): Promise<string[]> {
  const opened = await app.get(Wallets, { strict: false }).open(walletId);
  const [verification] = opened.verifications;
  if (verification === undefined) throw new Error('no verification');
  const issuer = app.get(CredentialIssuer, { strict: false });
  const signer = await issuer.signer();
  const holderKeys = keys.map(
    (key) => key.export({ format: 'jwk' }) as { kty: 'EC'; crv: 'P-256'; x: string; y: string },
  );
  return app
    .get(IdentityDatabase, { strict: false })
    .wallet(walletId, (tx) => issuer.issue(tx, { verification, kept: opened.kept(verification), holderKeys }, signer));
}
