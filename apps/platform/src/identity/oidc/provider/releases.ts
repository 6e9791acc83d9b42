import { type PersonLocale, PRICE } from '@constancia/contracts';
import { CreditLedger, debitsCounter } from '@constancia/credit-ledger';
import { uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../../identity-database.ts';
import type { KeptWallet } from '../../wallet/me/wallets.ts';
import { WalletConsent } from '../../wallet/wallet-consent.entity.ts';
import { WalletKeys } from '../../wallet/wallet-keys.ts';
import { type ConsentOrigin, consentRecord, sealForWallet } from '../../wallet/wallet-records.ts';
import type { WalletVerification } from '../../wallet/wallet-verification.entity.ts';
import { recordHash } from '../store/oidc-records.ts';
import { OidcGrantRelease } from '../clients/oidc-grant-release.entity.ts';
import { OidcRelease } from '../clients/oidc-release.entity.ts';

/** Whose verification is released to whom. Ids are UUIDs. */
export interface ReleaseTo {
  tenantId: string;
  clientId: string;
  walletId: string;
}

/** What a person agreed to, and from where. */
export interface Agreement {
  version: string;
  locale: PersonLocale;
  sha256: string;
  tenantName: string;
  purpose: string;
  ip: string;
  userAgent: string | null;
}

/** What a person agreed to give. */
interface AgreedRelease {
  wallet: KeptWallet;
  /** Undefined: none is part of it. */
  verification: WalletVerification | undefined;
  claims: string[];
  /** Of the provider, which ends when the person withdraws the consent. */
  grantId: string;
  text: Agreement;
}

/** What was released to clients. The first release of a verification to a client costs its tenant credits. */
@Injectable()
export class Releases {
  private readonly ledger = new CreditLedger();
  private readonly countDebit: (module: string) => void;
  private readonly released;

  constructor(
    private readonly database: IdentityDatabase,
    private readonly keys: WalletKeys,
    metrics: Metrics,
  ) {
    this.countDebit = debitsCounter(metrics);
    const help = 'Releases that persons agreed to, by whether they were paid';
    this.released = metrics.counter('oidc_releases_total', help, ['outcome']);
  }

  /**
   * The consent and its price, in one transaction. A verification is paid once by a client, however often and from however many places it is
   * asked. Throws InsufficientCreditsError, and NotFound once the wallet is erased.
   */
  async record(to: ReleaseTo, release: AgreedRelease): Promise<void> {
    const { tenantId, walletId } = to;
    const { wallet, verification } = release;
    const key = await this.keys.unwrap(walletId, wallet.wallet.wrapped_key as Buffer);
    const paid = await this.database.tenantAndWallet(tenantId, walletId, async (tx) => {
      await holdWallet(tx, walletId);
      await recordConsent(tx, to, release, key);
      if (verification === undefined) return false;
      await bind(tx, tenantId, release.grantId, verification.id);
      return this.pay(tx, to, verification.id);
    });
    this.released.inc({ outcome: paid ? 'paid' : 'free' });
    if (paid) this.countDebit('identity');
  }

  /** The verification that tokens of a grant are about; null: of none. */
  async ofGrant(tenantId: string, grantId: string): Promise<string | null> {
    const row = await this.database.tenant(tenantId, (tx) =>
      tx.manager.findOneBy(OidcGrantRelease, { grant_hash: recordHash(grantId), tenant_id: tenantId }),
    );
    return row?.verification_id ?? null;
  }

  /** False: it was paid before. */
  private async pay(tx: Tx, { tenantId, clientId, walletId }: ReleaseTo, verificationId: string): Promise<boolean> {
    const [row] = await tx.query<Pick<OidcRelease, 'id'>>(
      `insert into identity.oidc_release (id, tenant_id, wallet_id, client_id, verification_id) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning id`,
      [uuidv7(), tenantId, walletId, clientId, verificationId],
    );
    if (row === undefined) return false;
    const debit = { module: 'identity', refType: 'oidc_release', refId: row.id, amount: PRICE.kycReuse };
    await this.ledger.debit(tx, tenantId, debit); // last: the balance row stays locked only until the commit
    return true;
  }
}

async function bind(tx: Tx, tenantId: string, grantId: string, verificationId: string): Promise<void> {
  await tx.query(
    `insert into identity.oidc_grant_release (grant_hash, tenant_id, verification_id) values ($1, $2, $3)
     on conflict (grant_hash) do update set verification_id = excluded.verification_id, released_at = now()`,
    [recordHash(grantId), tenantId, verificationId],
  );
}

async function holdWallet(tx: Tx, walletId: string): Promise<void> {
  const sql = 'select 1 from identity.wallet where wallet_id = $1 and erased_at is null for share';
  if ((await tx.query(sql, [walletId])).length === 0) throw new NotFound();
}

async function recordConsent(
  tx: Tx,
  { tenantId, clientId, walletId }: ReleaseTo,
  { wallet, claims, grantId, text }: AgreedRelease,
  key: Buffer,
): Promise<void> {
  const id = uuidv7();
  const [latest] = wallet.verifications;
  const record: ConsentOrigin = {
    verified_for: latest === undefined ? '' : wallet.kept(latest).verified_for,
    ip: text.ip,
    user_agent: text.userAgent,
    shared: {
      ...{ tenant_id: tenantId, grant_id: grantId, client_id: clientId, tenant_name: text.tenantName },
      ...{ purpose: text.purpose, claims, method: null },
    },
  };
  await tx.manager.insert(WalletConsent, {
    ...{ id, wallet_id: walletId, kind: 'share' as const, text_version: text.version, locale: text.locale },
    text_sha256: Buffer.from(text.sha256, 'hex'),
    sealed_origin: sealForWallet(key, walletId, consentRecord(id), record),
    given_at: new Date(),
  });
}
