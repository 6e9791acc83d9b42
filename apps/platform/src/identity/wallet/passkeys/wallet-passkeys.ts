import type { Assertion, NewPasskey } from '@constancia/auth/passkeys';
import { WALLET_SESSION_SECONDS } from '@constancia/contracts';
import type { PersonPrincipal } from '@constancia/http';
import { uuidOf, uuidv7 } from '@constancia/kernel';
import { isUniqueViolation, type Tx } from '@constancia/persistence';
import { NotFound, StateConflict, Unauthorized, UnprocessableEntity } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { IdentityDatabase } from '../../identity-database.ts';
import { lockOwnWallet } from '../sessions/lock-own-wallet.ts';
import { WalletSessions } from '../sessions/wallet-sessions.ts';
import { WalletTokens } from '../sessions/wallet-tokens.ts';
import { WalletKeys } from '../wallet-keys.ts';
import { WalletMails } from '../wallet-mails.ts';
import {
  CONTACT,
  openOfWallet,
  type PasskeyName,
  passkeyRecord,
  sealForWallet,
  type WalletContact,
} from '../wallet-records.ts';
import { Wallet } from '../wallet.entity.ts';
import { WalletCeremonies } from './wallet-ceremonies.ts';
import { WalletPasskey } from './wallet-passkey.entity.ts';

/** How many passkeys a wallet may have. */
export const MAX_WALLET_PASSKEYS = 10;

const REFUSED = 'The passkey was not accepted. Try again, or sign in with a code.';

/** Null: the count of the passkey went back. */
interface OpenedSession {
  wallet_id: string | null;
  expires_at: Date | null;
}

/** A passkey whose signature is right. */
export type UsedPasskey = Assertion & { id: string };

/** A passkey with its name. */
export type NamedPasskey = WalletPasskey & PasskeyName;

/** Passkeys of persons: registered in a session of their wallet, removed, and used to sign in. Unauthorized once the session has ended. */
@Injectable()
export class WalletPasskeys {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly ceremonies: WalletCeremonies,
    private readonly keys: WalletKeys,
    private readonly sessions: WalletSessions,
    private readonly tokens: WalletTokens,
    private readonly mails: WalletMails,
  ) {}

  /** The oldest first. */
  async list(walletId: string): Promise<NamedPasskey[]> {
    const { key, passkeys } = await this.opened(walletId);
    return passkeys.map((row) => ({
      ...row,
      ...openOfWallet<PasskeyName>(key, walletId, passkeyRecord(row.id), row.sealed),
    }));
  }

  async registrationOptions({ walletId, sessionId }: PersonPrincipal): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { contact, passkeys } = await this.opened(walletId);
    if (passkeys.length >= MAX_WALLET_PASSKEYS) throw tooMany();
    const user = { id: walletId, name: contact.email, displayName: contact.email };
    return this.ceremonies.beginRegistration(sessionId, user, passkeys);
  }

  /** Throws UnprocessableEntity for a response that proves nothing, StateConflict. */
  async register(person: PersonPrincipal, name: string, response: RegistrationResponseJSON): Promise<void> {
    const { walletId, sessionId } = person;
    const { key } = await this.opened(walletId);
    const passkey = await this.ceremonies.finishRegistration(sessionId, response);
    if (passkey === null) throw new UnprocessableEntity('The passkey was not accepted: begin again.');
    const id = uuidv7();
    const sealed = sealForWallet(key, walletId, passkeyRecord(id), { name });
    await this.database
      .wallet(walletId, (tx) => insert(tx, person, { id, wallet_id: walletId, sealed }, passkey))
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? new StateConflict('This passkey is registered already.') : error;
      });
    this.mails.wake();
  }

  /** Ends the sessions that it opened. Throws NotFound, for another person's too. */
  async remove(person: PersonPrincipal, passkeyId: string): Promise<void> {
    const { walletId } = person;
    const id = uuidOf('psk', passkeyId);
    await this.database.wallet(walletId, async (tx) => {
      await lockOwnWallet(tx, person);
      const { affected } =
        id === null ? { affected: 0 } : await tx.manager.delete(WalletPasskey, { id, wallet_id: walletId });
      if (affected !== 1) throw new NotFound('No such passkey.');
      await tx.manager.update(Wallet, { wallet_id: walletId }, { signed_out_at: new Date() });
      await mail(tx, 'passkey_removed', walletId);
    });
    this.mails.wake();
  }

  signInOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.ceremonies.beginSignIn();
  }

  /** Throws Unauthorized, the same for an unknown passkey, a wrong signature and a count that went back. */
  async signIn(response: AuthenticationResponseJSON): Promise<{ token: string; expiresAt: Date }> {
    const sign = await this.tokens.signer(); // before a challenge is used up
    const opened = await this.openSession(response);
    return { token: await this.tokens.issue(sign, { ...opened, method: 'passkey' }), expiresAt: opened.expiresAt };
  }

  /** The same without a token: a session that is opened for who signs in to something else. */
  async openSession(
    response: AuthenticationResponseJSON,
  ): Promise<{ walletId: string; sessionId: string; expiresAt: Date }> {
    const used = await this.used(response);
    const sessionId = uuidv7();
    const opened = used && (await this.open(used, sessionId));
    this.mails.wake(); // a notice may wait
    const { wallet_id: walletId = null, expires_at: expiresAt = null } = opened ?? {};
    this.sessions.count('passkey', walletId === null ? 'wrong' : 'ok');
    if (walletId === null || expiresAt === null) throw new Unauthorized(REFUSED);
    return { walletId, sessionId, expiresAt };
  }

  /** What a browser has to sign to prove that a wallet is theirs, for the one thing with this id. */
  stepUpOptions(id: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.ceremonies.beginSignIn(id);
  }

  /**
   * The passkey that signed, and what with; null: that proves nothing. Its count has yet to be compared (identity.use_passkey).
   *
   * @param stepUp the id of what the browser signed for; left out: of a sign-in
   */
  async used(response: AuthenticationResponseJSON, stepUp?: string): Promise<UsedPasskey | null> {
    const [known = null] = await this.database.query<Pick<WalletPasskey, 'id' | 'wallet_id' | 'public_key'>>(
      'select * from identity.wallet_passkey_by_credential($1)',
      [Buffer.from(response.id, 'base64url')],
    );
    const key = known && { publicKey: known.public_key, userId: known.wallet_id };
    const assertion = await this.ceremonies.finishSignIn(response, key, stepUp);
    return known === null || assertion === null ? null : { id: known.id, ...assertion };
  }

  private async open({ id, signCount, backedUp }: UsedPasskey, sessionId: string): Promise<OpenedSession | undefined> {
    const [row] = await this.database.query<OpenedSession>(
      'select * from identity.open_passkey_session($1, $2, $3, $4, $5)',
      [id, signCount, backedUp, sessionId, WALLET_SESSION_SECONDS],
    );
    return row;
  }

  /** KMS is asked outside of transactions. */
  private async opened(walletId: string): Promise<{ key: Buffer; contact: WalletContact; passkeys: WalletPasskey[] }> {
    const { wallet, passkeys } = await this.database.wallet(walletId, async (tx) => ({
      wallet: await tx.manager.findOneBy(Wallet, { wallet_id: walletId }),
      passkeys: await tx.manager.find(WalletPasskey, { where: { wallet_id: walletId }, order: { id: 'asc' } }),
    }));
    if (!wallet?.wrapped_key || !wallet.sealed) throw new Unauthorized();
    const key = await this.keys.unwrap(walletId, wallet.wrapped_key);
    return { key, contact: openOfWallet<WalletContact>(key, walletId, CONTACT, wallet.sealed), passkeys };
  }
}

/** The lock of the wallet's row keeps the limit. */
async function insert(
  tx: Tx,
  person: PersonPrincipal,
  row: Pick<WalletPasskey, 'id' | 'wallet_id' | 'sealed'>,
  { credentialId, publicKey, signCount, transports, backedUp }: NewPasskey,
): Promise<void> {
  const { wallet_id } = row;
  await lockOwnWallet(tx, person);
  if ((await tx.manager.countBy(WalletPasskey, { wallet_id })) >= MAX_WALLET_PASSKEYS) throw tooMany();
  await tx.manager.insert(WalletPasskey, {
    ...row,
    credential_id: credentialId,
    public_key: publicKey,
    sign_count: String(signCount),
    transports,
    backed_up: backedUp,
  });
  await mail(tx, 'passkey_added', wallet_id);
}

const mail = (tx: Tx, kind: 'passkey_added' | 'passkey_removed', walletId: string) =>
  tx.query('select identity.add_wallet_mail($1, null, null, $2)', [kind, walletId]);

const tooMany = (): StateConflict =>
  new StateConflict(`A wallet may have ${MAX_WALLET_PASSKEYS} passkeys: remove one first.`);
