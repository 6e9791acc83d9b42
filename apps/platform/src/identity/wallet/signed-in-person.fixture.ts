import { randomBytes } from 'node:crypto';
import { uuidOf, uuidv7 } from '@constancia/kernel';
import type { TestDatabase } from '@constancia/testing';
import type { RunningPlatform } from '../../running-platform.fixture.ts';
import { WalletTokens } from './sessions/wallet-tokens.ts';
import { WalletKeys } from './wallet-keys.ts';
import { CONTACT, sealForWallet, verificationRecord } from './wallet-records.ts';

/** A new wallet with one verification; its id, a UUID. */
export async function newWallet({ app }: RunningPlatform, store: TestDatabase): Promise<string> {
  const [walletId, verificationId] = [uuidv7(), uuidv7()];
  const key = await app.get(WalletKeys, { strict: false }).create(walletId);
  const seal = (record: string, value: object) => sealForWallet(key.plaintext, walletId, record, value);
  await store.query(
    `insert into identity.wallet (wallet_id, document_index, contact_index, wrapped_key, sealed, locale) values ($1, $2, $3, $4, $5, 'en')`,
    [walletId, randomBytes(32), randomBytes(32), key.wrapped, seal(CONTACT, { email: 'ana@mail.example' })],
  );
  await store.query(
    `insert into identity.wallet_verification (id, wallet_id, level, sealed, verified_at) values ($1, $2, 'document_face', $3, now())`,
    [verificationId, walletId, seal(verificationRecord(verificationId), DOCUMENT)],
  );
  return walletId;
}

/** That of sessions of FlowCaller. */
const DOCUMENT = { document_type: 'CC', document_country: 'CO', document_number: '1098765432' };

/** Makes a session the one whose verification the person keeps in a wallet. */
export async function keepIn(store: TestDatabase, walletId: string, { id }: { id: string }): Promise<void> {
  await store.query(
    `update identity.flow_session set status = 'completed', current_step = null,
            completed_at = (select verified_at from identity.wallet_verification where wallet_id = $2) where id = $1`,
    [uuidOf('fls', id), walletId],
  );
}

/** The token of a new session of a wallet. */
export async function signedInPerson({ app }: RunningPlatform, store: TestDatabase, walletId: string): Promise<string> {
  const sessionId = uuidv7();
  await store.query(
    `insert into identity.wallet_session (id, wallet_id, method, expires_at) values ($1, $2, 'code', now() + interval '10 minutes')`,
    [sessionId, walletId],
  );
  const tokens = app.get(WalletTokens, { strict: false });
  return tokens.issue(await tokens.signer(), {
    walletId,
    sessionId,
    method: 'code',
    expiresAt: new Date(Date.now() + 600_000),
  });
}
