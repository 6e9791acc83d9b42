import { randomUUID } from 'node:crypto';
import { recoveryPictureRecord, type WalletRecoveryChallenge } from '@constancia/contracts';
import { randomPoses } from '@constancia/face-matching';
import { typeId } from '@constancia/kernel';
import { StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { IdentityDatabase } from '../../identity-database.ts';
import type { PictureType } from '../../uploads/asset.entity.ts';
import { PictureCleaner } from '../../uploads/picture-cleaner.ts';
import { pictureRefusal, refuseOtherTypes } from '../../uploads/picture-intake.ts';
import { WalletCeremonies } from '../passkeys/wallet-ceremonies.ts';
import { WalletPasskey } from '../passkeys/wallet-passkey.entity.ts';
import { WalletKeys } from '../wallet-keys.ts';
import { CONTACT, openOfWallet, sealBytesForWallet, type WalletContact } from '../wallet-records.ts';
import { Wallet } from '../wallet.entity.ts';
import { hasEnded, isBusy } from './wallet-recoveries.ts';
import type { WalletRecovery } from './wallet-recovery.entity.ts';

/** From the moment a challenge is issued until its last picture is here. */
const CHALLENGE_SECONDS = 60;
/** Of one recovery at a time: those of a check, several times over. */
export const RECOVERY_PICTURES = 40;

const SCHEME = 'asset://';

/** The wallet of a recovery, opened. */
export interface RecoveredWallet {
  walletId: string;
  key: Buffer;
  contact: WalletContact;
}

/** What a person whose contact is proven sends: pictures of their face that turn as the server asks, and the passkey that is to be theirs. */
@Injectable()
export class RecoveryEvidence {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly keys: WalletKeys,
    private readonly cleaner: PictureCleaner,
    private readonly ceremonies: WalletCeremonies,
  ) {}

  /** The one before is no longer valid. Throws StateConflict. */
  async challenge(recoveryId: string): Promise<WalletRecoveryChallenge> {
    const [id, poses] = [randomUUID(), randomPoses()];
    const [row] = await this.database.query<{ issued_at: Date; expires_at: Date }>(
      'select * from identity.issue_recovery_challenge($1, $2, $3, $4)',
      [recoveryId, id, poses, CHALLENGE_SECONDS],
    );
    if (row === undefined) throw await this.refusal(recoveryId);
    const { issued_at, expires_at } = row;
    return {
      challenge_id: typeId('lch', id),
      poses,
      issued_at: issued_at.toISOString(),
      expires_at: expires_at.toISOString(),
    };
  }

  /** Decoded and encoded again, encrypted with the wallet's key, and kept until it was looked at; answers the stored_uri. Throws StateConflict. */
  async receive(recoveryId: string, bytes: Buffer, declared: PictureType | null): Promise<string> {
    refuseOtherTypes(bytes, declared);
    const { walletId, key } = await this.wallet(recoveryId);
    const picture = await this.cleaner.face(bytes).catch(pictureRefusal);
    const id = randomUUID();
    const sealed = sealBytesForWallet(key, walletId, recoveryPictureRecord(id), picture);
    const [row] = await this.database.query<{ kept: boolean }>(
      'select identity.add_recovery_picture($1, $2, $3, $4) as kept',
      [recoveryId, id, sealed, RECOVERY_PICTURES],
    );
    if (row?.kept !== true) throw await this.refusal(recoveryId);
    return `${SCHEME}${typeId('wrp', id)}`;
  }

  /** What the browser makes the new passkey with. Throws StateConflict. */
  async passkeyOptions(recoveryId: string): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { walletId, contact } = await this.wallet(recoveryId);
    // A device that has one makes none: in its place, the old one would be gone before anything is decided.
    const known = await this.database.wallet(walletId, (tx) => tx.manager.findBy(WalletPasskey, { wallet_id: walletId })); // prettier-ignore
    return this.ceremonies.beginRegistration(recoveryId, { id: walletId, name: contact.email, displayName: contact.email }, known); // prettier-ignore
  }

  /** Throws StateConflict when the recovery is not of a wallet (any more). */
  async wallet(recoveryId: string): Promise<RecoveredWallet> {
    const recovery = await this.find(recoveryId);
    const walletId = recovery?.state === 'contact_verified' ? recovery.wallet_id : null;
    if (walletId === null) throw hasEnded();
    const wallet = await this.database.wallet(walletId, (tx) => tx.manager.findOneBy(Wallet, { wallet_id: walletId }));
    if (!wallet?.wrapped_key || !wallet.sealed) throw hasEnded();
    const key = await this.keys.unwrap(walletId, wallet.wrapped_key);
    return { walletId, key, contact: openOfWallet<WalletContact>(key, walletId, CONTACT, wallet.sealed) };
  }

  /** Why a recovery did not take something. */
  async refusal(recoveryId: string): Promise<StateConflict> {
    const recovery = await this.find(recoveryId);
    return (recovery?.check_input ?? null) === null ? takesNothing() : isBusy();
  }

  private async find(recoveryId: string): Promise<WalletRecovery | undefined> {
    const [row] = await this.database.query<WalletRecovery>('select * from identity.find_recovery($1)', [recoveryId]);
    return row;
  }
}

const takesNothing = (): StateConflict =>
  new StateConflict('The recovery takes nothing more: it has ended, or has had too many pictures.');
