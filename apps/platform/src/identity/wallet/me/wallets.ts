import { uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { NotFound, Unauthorized } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan } from 'typeorm';
import { IdentityDatabase } from '../../identity-database.ts';
import { eraseCredentials } from '../credentials/end-credentials.ts';
import { WalletCredential } from '../credentials/wallet-credential.entity.ts';
import { WalletFace } from '../face/wallet-face.entity.ts';
import { WalletConsent } from '../wallet-consent.entity.ts';
import { WalletConsentRevocation } from '../wallet-consent-revocation.entity.ts';
import { WalletKeys } from '../wallet-keys.ts';
import {
  type ConsentOrigin,
  consentRecord,
  CONTACT,
  type KeptVerification,
  openOfWallet,
  type PasskeyName,
  passkeyRecord,
  verificationRecord,
  type WalletContact,
} from '../wallet-records.ts';
import { WalletVerification } from '../wallet-verification.entity.ts';
import { WalletPasskey } from '../passkeys/wallet-passkey.entity.ts';
import { Wallet } from '../wallet.entity.ts';
import { WalletRecovery } from '../recovery/wallet-recovery.entity.ts';
import { WalletSession } from '../sessions/wallet-session.entity.ts';

/** A wallet as it stood at one moment, with its rows; newest first. */
interface StoredWallet {
  wallet: Wallet;
  verifications: WalletVerification[];
  consents: WalletConsent[];
  passkeys: WalletPasskey[];
  credentials: WalletCredential[];
  /** Since when a picture of the face is kept; null: none is. */
  faceKeptAt: Date | null;
  /** When the recovery that is under way takes effect; null: none is. */
  recoveryEffectiveAt: Date | null;
  /** When consents were withdrawn, by id. */
  revoked: ReadonlyMap<string, Date>;
}

/** The same, opened. */
export interface OpenedWallet extends StoredWallet {
  contact: WalletContact;
  kept: (row: WalletVerification) => KeptVerification;
  origin: (row: WalletConsent) => ConsentOrigin;
  passkey: (row: WalletPasskey) => PasskeyName;
}

/** What a person keeps, and where to reach them. */
export type KeptWallet = Pick<OpenedWallet, 'wallet' | 'verifications' | 'contact' | 'kept'>;

/** A person's own wallet. Throws Unauthorized once it is erased: its session ended with it. */
@Injectable()
export class Wallets {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly keys: WalletKeys,
  ) {}

  /** KMS is asked outside of transactions. */
  async open(walletId: string): Promise<OpenedWallet> {
    const stored = await this.database.wallet(walletId, async (tx): Promise<StoredWallet> => {
      const newest = { where: { wallet_id: walletId }, order: { id: 'desc' } } as const;
      const consents = await tx.manager.find(WalletConsent, newest);
      return {
        wallet: await walletRow(tx, walletId),
        verifications: await tx.manager.find(WalletVerification, newest),
        consents,
        passkeys: await tx.manager.find(WalletPasskey, newest),
        credentials: await tx.manager.find(WalletCredential, newest),
        faceKeptAt: await faceKeptAt(tx, walletId),
        recoveryEffectiveAt: await recoveryEffectiveAt(tx, walletId),
        revoked: await revocations(tx, walletId, consents),
      };
    });
    return { ...stored, ...(await this.opener(stored.wallet)) };
  }

  /** The same without what grows with its use. */
  async openKept(walletId: string): Promise<KeptWallet> {
    const newest = { where: { wallet_id: walletId }, order: { id: 'desc' } } as const;
    const stored = await this.database.wallet(walletId, async (tx) => ({
      wallet: await walletRow(tx, walletId),
      verifications: await tx.manager.find(WalletVerification, newest),
    }));
    return { ...stored, ...(await this.opener(stored.wallet)) };
  }

  /** A page of consents, and one more. */
  async consents(walletId: string, before: string | null, limit: number) {
    const { wallet, rows, revoked } = await this.database.wallet(walletId, async (tx) => {
      const found = await tx.manager.find(WalletConsent, {
        where: { wallet_id: walletId, ...(before !== null && { id: LessThan(before) }) },
        order: { id: 'desc' },
        take: limit + 1,
      });
      return { wallet: await walletRow(tx, walletId), rows: found, revoked: await revocations(tx, walletId, found) };
    });
    return { rows, revoked, origin: (await this.opener(wallet)).origin };
  }

  /** One of the wallet's consents. Throws NotFound. */
  async consent(walletId: string, id: string) {
    const { wallet, row, revoked } = await this.database.wallet(walletId, async (tx) => {
      const found = await tx.manager.findOneBy(WalletConsent, { id, wallet_id: walletId });
      if (found === null) throw new NotFound();
      return { wallet: await walletRow(tx, walletId), row: found, revoked: await revocations(tx, walletId, [found]) };
    });
    return { row, origin: (await this.opener(wallet)).origin(row), revokedAt: revoked.get(row.id) ?? null };
  }

  setDiscoverable(walletId: string, discoverable: boolean): Promise<void> {
    return this.database.wallet(walletId, async (tx) => {
      const { affected } = await tx.manager.update(
        Wallet,
        { wallet_id: walletId, erased_at: IsNull() },
        { discoverable, updated_at: new Date() },
      );
      if (affected !== 1) throw new Unauthorized();
    });
  }

  /** Destroys the key and everything by which the person could be found, revokes every credential, and ends every session. */
  erase(walletId: string): Promise<{ receiptId: string; erasedAt: Date }> {
    return this.database.wallet(walletId, async (tx) => {
      const receiptId = uuidv7();
      const erasedAt = new Date();
      const gone = { document_index: null, contact_index: null, wrapped_key: null, sealed: null, discoverable: false };
      const { affected } = await tx.manager.update(
        Wallet,
        { wallet_id: walletId, erased_at: IsNull() },
        { ...gone, updated_at: erasedAt, erased_at: erasedAt, receipt_id: receiptId },
      );
      if (affected !== 1) throw new Unauthorized();
      await eraseCredentials(tx, walletId);
      await tx.manager.delete(WalletRecovery, { wallet_id: walletId }); // and its pictures with it
      await tx.manager.delete(WalletFace, { wallet_id: walletId });
      await tx.manager.delete(WalletVerification, { wallet_id: walletId });
      await tx.manager.delete(WalletPasskey, { wallet_id: walletId });
      await tx.manager.update(WalletSession, { wallet_id: walletId, ended_at: IsNull() }, { ended_at: erasedAt });
      await this.keys.destroyed(tx, walletId);
      return { receiptId, erasedAt };
    });
  }

  private async opener({ wallet_id: id, wrapped_key, sealed }: Wallet) {
    if (wrapped_key === null || sealed === null) throw new Unauthorized();
    const key = await this.keys.unwrap(id, wrapped_key);
    const opened = <T extends object>(record: string, bytes: Buffer) => openOfWallet<T>(key, id, record, bytes);
    return {
      contact: opened<WalletContact>(CONTACT, sealed),
      kept: (row: WalletVerification) => opened<KeptVerification>(verificationRecord(row.id), row.sealed),
      origin: (row: WalletConsent) => opened<ConsentOrigin>(consentRecord(row.id), row.sealed_origin),
      passkey: (row: WalletPasskey) => opened<PasskeyName>(passkeyRecord(row.id), row.sealed),
    };
  }
}

async function walletRow(tx: Tx, walletId: string): Promise<Wallet> {
  const row = await tx.manager.findOneBy(Wallet, { wallet_id: walletId, erased_at: IsNull() });
  if (row === null) throw new Unauthorized();
  return row;
}

async function revocations(tx: Tx, walletId: string, rows: readonly WalletConsent[]): Promise<Map<string, Date>> {
  const where = { wallet_id: walletId, consent_id: In(rows.map(({ id }) => id)) };
  const found = await tx.manager.findBy(WalletConsentRevocation, where);
  return new Map(found.map(({ consent_id, revoked_at }) => [consent_id, revoked_at]));
}

/** Without the picture, which is not read to tell that it is there. */
async function faceKeptAt(tx: Tx, walletId: string): Promise<Date | null> {
  const select = { wallet_id: true, kept_at: true } as const;
  return (await tx.manager.findOne(WalletFace, { select, where: { wallet_id: walletId } }))?.kept_at ?? null;
}

async function recoveryEffectiveAt(tx: Tx, walletId: string): Promise<Date | null> {
  const cooling = await tx.manager.findOneBy(WalletRecovery, { wallet_id: walletId, state: 'cooling' });
  return cooling?.effective_at ?? null;
}
