import { walletFaceRecord } from '@constancia/contracts';
import { drainBacklog, IndependentWork, uuidv7 } from '@constancia/kernel';
import { isUniqueViolation, type Tx } from '@constancia/persistence';
import { STATUS } from '@constancia/status-list';
import { Logger, Metrics, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../../identity-database.ts';
import { endCredentials } from '../credentials/end-credentials.ts';
import { ComparedFaces } from '../face/compared-faces.ts';
import { WalletFace } from '../face/wallet-face.entity.ts';
import { OfferFacts, type KeptFacts } from './offer-facts.ts';
import { WalletConsent } from '../wallet-consent.entity.ts';
import { WalletIndex } from '../wallet-index.ts';
import { WalletKeys } from '../wallet-keys.ts';
import { WalletMails } from '../wallet-mails.ts';
import { consentRecord, CONTACT, sealBytesForWallet, sealForWallet, verificationRecord } from '../wallet-records.ts';
import { WalletVerification } from '../wallet-verification.entity.ts';
import { Wallet } from '../wallet.entity.ts';

const EVERY_MS = 5_000;
const BATCH = 20;
const OFFER_DAYS = 7;

interface Due {
  tenant_id: string;
  session_id: string;
}

interface Indexes {
  document: Buffer;
  contact: Buffer;
}

/**
 * What comes of a confirmed offer. The person has no wallet and the address none: a new one. The person's wallet has this address: it gets
 * the verification. The person's wallet has another address, or the address is of another person's wallet: nothing is kept, and one mail
 * says so, to the address of the person's wallet, or else to the one that they gave.
 */
@Injectable()
export class SettleOffers extends PeriodicWork {
  private readonly settled;

  constructor(
    private readonly database: IdentityDatabase,
    private readonly facts: OfferFacts,
    private readonly faces: ComparedFaces,
    private readonly index: WalletIndex,
    private readonly keys: WalletKeys,
    private readonly mails: WalletMails,
    logger: Logger,
    metrics: Metrics,
  ) {
    super({ name: 'wallet-offers', everyMs: EVERY_MS, logger });
    this.settled = metrics.counter('wallet_offers_total', 'Verifications that persons asked to keep', ['outcome']);
    const help = 'How long the verification that was confirmed first has been waiting to be kept';
    metrics.gauge('wallet_offer_lag_seconds', help, [], async (gauge) => {
      const [row] = await database.query<{ lag: number }>('select identity.wallet_offer_lag() as lag');
      gauge.set(row?.lag ?? 0);
    });
  }

  override async run(signal: AbortSignal): Promise<void> {
    const work = new IndependentWork();
    await work.attempt(() =>
      drainBacklog<Due>({
        batch: BATCH,
        due: (limit) => this.database.query<Due>('select * from identity.confirmed_offers($1)', [limit]),
        handle: (due) => this.settle(due),
        about: ({ tenant_id, session_id }) => ({ tenant_id, session_id }),
        signal,
      }),
    );
    await work.attempt(() => this.database.query('select identity.delete_old_offers($1)', [OFFER_DAYS]));
    await work.attempt(() => this.database.query('select identity.delete_old_wallet_sessions()'));
    work.throwFirstFailure();
  }

  /** False: another process was first, or the wallets changed meanwhile, so that it is decided again. */
  private async settle({ tenant_id, session_id }: Due): Promise<boolean> {
    const facts = await this.facts.of(tenant_id, session_id);
    if (facts === null) return false;
    const { document_type: type, document_country: country, document_number: number } = facts.verification;
    const document = await this.index.document({ type, country, number });
    const contact = await this.index.contact(facts.contact.email);
    const [found] = await this.database.query<{ of_document: string | null; of_contact: string | null }>(
      'select * from identity.wallets_of($1, $2)',
      [document, contact],
    );
    const { of_document: own = null, of_contact: holder = null } = found ?? {};
    const done = await this.keepOrRefuse(facts, { document, contact }, own, holder).catch((error: unknown) => {
      if (isUniqueViolation(error)) return null;
      throw error;
    });
    if (done === null) return false;
    this.settled.inc({ outcome: done });
    this.mails.wake();
    return true;
  }

  private async keepOrRefuse(facts: KeptFacts, indexes: Indexes, own: string | null, holder: string | null) {
    if (own === null && holder === null) return (await this.create(facts, indexes)) ? 'created' : null;
    if (own !== null && own === holder) return (await this.update(facts, own)) ? 'updated' : null;
    const notice = own === null ? 'address_taken' : 'other_address';
    const { tenantId, sessionId } = facts;
    const done = await this.database.tenant(tenantId, async (tx) => {
      if (!(await take(tx, facts))) return false;
      const toOffer = own === null ? [tenantId, sessionId] : [null, null];
      await tx.query('select identity.add_wallet_mail($1, $2, $3, $4)', [notice, ...toOffer, own]);
      return true;
    });
    return done ? notice : null;
  }

  private async create(facts: KeptFacts, { document, contact }: Indexes): Promise<boolean> {
    const walletId = uuidv7();
    const key = await this.keys.create(walletId);
    const face = await this.face(facts);
    return this.database.tenantAndWallet(facts.tenantId, walletId, async (tx) => {
      if (!(await take(tx, facts))) return false;
      await tx.manager.insert(Wallet, {
        wallet_id: walletId,
        document_index: document,
        contact_index: contact,
        wrapped_key: key.wrapped,
        sealed: sealForWallet(key.plaintext, walletId, CONTACT, facts.contact),
        locale: facts.consent.locale,
      });
      await this.add(tx, walletId, key.plaintext, facts, face);
      return true;
    });
  }

  private async update(facts: KeptFacts, walletId: string): Promise<boolean> {
    const known = await this.database.wallet(walletId, (tx) => tx.manager.findOneBy(Wallet, { wallet_id: walletId }));
    if (!known?.wrapped_key) return false;
    const key = await this.keys.unwrap(walletId, known.wrapped_key);
    const face = await this.face(facts);
    return this.database.tenantAndWallet(facts.tenantId, walletId, async (tx) => {
      const [row] = await tx.query(
        'update identity.wallet set updated_at = now() where wallet_id = $1 and erased_at is null returning 1',
        [walletId],
      );
      if (!row || !(await take(tx, facts))) return false;
      await endCredentials(tx, { wallet_id: walletId }, STATUS.superseded);
      await this.add(tx, walletId, key, facts, face);
      return true;
    });
  }

  /** Outside of transactions: it is fetched and made smaller. */
  private async face({ tenantId, face }: KeptFacts): Promise<Buffer | null> {
    return face && this.faces.copy(tenantId, face);
  }

  private async add(tx: Tx, walletId: string, key: Buffer, facts: KeptFacts, face: Buffer | null): Promise<void> {
    const [verificationId, consentId] = [uuidv7(), uuidv7()];
    await tx.manager.insert(WalletVerification, {
      id: verificationId,
      wallet_id: walletId,
      level: facts.level,
      sealed: sealForWallet(key, walletId, verificationRecord(verificationId), facts.verification),
      verified_at: facts.verifiedAt,
    });
    if (face !== null) {
      const sealed = sealBytesForWallet(key, walletId, walletFaceRecord(verificationId), face);
      // The wallet's row is held: the newer one takes the place of the other.
      await tx.manager.delete(WalletFace, { wallet_id: walletId });
      await tx.manager.insert(WalletFace, { wallet_id: walletId, verification_id: verificationId, sealed });
    }
    await tx.manager.insert(WalletConsent, {
      id: consentId,
      wallet_id: walletId,
      kind: 'keep',
      ...facts.consent,
      sealed_origin: sealForWallet(key, walletId, consentRecord(consentId), facts.origin),
    });
    await tx.query('select identity.add_wallet_mail($1, $2, $3, $4)', ['kept', null, null, walletId]);
  }
}

/** Settles an offer that is as it was read; false when it is not any more. */
async function take(tx: Tx, { tenantId, sessionId, confirmedAt }: KeptFacts): Promise<boolean> {
  const rows = await tx.query(
    `update identity.wallet_offer set state = 'settled', settled_at = now()
      where session_id = $1 and tenant_id = $2 and state = 'confirmed' and confirmed_at = $3 returning 1`,
    [sessionId, tenantId, confirmedAt],
  );
  return rows.length === 1;
}
