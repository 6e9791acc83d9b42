import { PRICE } from '@constancia/contracts';
import { CreditLedger, debitsCounter } from '@constancia/credit-ledger';
import { uuidv7 } from '@constancia/kernel';
import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../../identity-database.ts';
import { OidcRelease } from '../clients/oidc-release.entity.ts';

/** Whose verification is released to whom. Ids are UUIDs. */
export interface ReleaseTo {
  tenantId: string;
  clientId: string;
  walletId: string;
}

/** What was released to clients. The first release of a verification to a client costs its tenant credits. */
@Injectable()
export class Releases {
  private readonly ledger = new CreditLedger();
  private readonly countDebit: (module: string) => void;

  constructor(
    private readonly database: IdentityDatabase,
    metrics: Metrics,
  ) {
    this.countDebit = debitsCounter(metrics);
  }

  /** Debits once for each verification, however often and from however many places it is asked. Throws InsufficientCreditsError. */
  async release({ tenantId, clientId, walletId }: ReleaseTo, verificationId: string): Promise<void> {
    const first = await this.database.tenant(tenantId, async (tx) => {
      const id = uuidv7();
      const [row] = await tx.query<Pick<OidcRelease, 'id'>>(
        `insert into identity.oidc_release (id, tenant_id, wallet_id, client_id, verification_id) values ($1, $2, $3, $4, $5)
         on conflict do nothing returning id`,
        [id, tenantId, walletId, clientId, verificationId],
      );
      if (row === undefined) return false;
      const debit = { module: 'identity', refType: 'oidc_release', refId: id, amount: PRICE.kycReuse };
      await this.ledger.debit(tx, tenantId, debit);
      return true;
    });
    if (first) this.countDebit('identity');
  }

  /** The verification that was released last; null: none was. */
  async latest({ tenantId, clientId, walletId }: ReleaseTo): Promise<string | null> {
    const row = await this.database.tenant(tenantId, (tx) =>
      tx.manager.findOne(OidcRelease, {
        where: { tenant_id: tenantId, client_id: clientId, wallet_id: walletId },
        order: { released_at: 'desc', id: 'desc' },
      }),
    );
    return row?.verification_id ?? null;
  }
}
