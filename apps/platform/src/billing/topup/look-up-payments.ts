import { typeId, uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { PaymentProvider, type PaymentSnapshot } from '../provider/payment-provider.ts';
import { lockTopup, paymentsOf, SettlePayment, type Settled, updateTopup } from './settle-payment.ts';
import type { Difference } from './topup.entity.ts';

/** Reads payments from the provider and settles them. What a look-up answers is the only thing that moves credits. */
@Injectable()
export class LookUpPayments {
  constructor(
    private readonly database: Database,
    private readonly provider: PaymentProvider,
    private readonly settlement: SettlePayment,
  ) {}

  /** Of one payment that was announced; null when it is none of ours. Throws PaymentProviderUnavailable. */
  async ofPayment(paymentId: string): Promise<Settled | null> {
    const snapshot = await this.provider.getPayment(paymentId);
    const topupId = snapshot?.externalReference ? uuidOf('top', snapshot.externalReference) : null;
    if (!snapshot || topupId === null) return null;
    const [owner] = await this.database.query<{ tenant_id: string }>('select tenant_id from platform.topup_owner($1)', [
      topupId,
    ]);
    return owner ? this.settlement.apply(owner.tenant_id, topupId, snapshot) : null;
  }

  /**
   * Of every payment of a top-up; answers what was found, and by how many credits the balance changed. Throws
   * PaymentProviderUnavailable.
   */
  async ofTopup(
    tenantId: string,
    topupId: string,
    found?: Difference,
  ): Promise<{ snapshots: PaymentSnapshot[]; credits: number }> {
    const snapshots = await this.provider.searchByExternalReference(typeId('top', topupId));
    let credits = 0;
    for (const snapshot of snapshots) {
      const settled = await this.settlement.apply(tenantId, topupId, snapshot, found);
      credits += settled.credits;
    }
    if (snapshots.length === 0 || credits === 0) await this.recount(tenantId, topupId);
    return { snapshots, credits };
  }

  /** The state changes with the clock, too: what nobody paid in time has expired. */
  private async recount(tenantId: string, topupId: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const topup = await lockTopup(tx, topupId);
      if (topup) await updateTopup(tx, topup, await paymentsOf(tx, topupId), topup.difference);
    });
  }
}
