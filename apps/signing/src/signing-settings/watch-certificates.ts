import { certificateFacts } from '@constancia/pdf-sealing';
import { Database } from '@constancia/persistence';
import { Logger, Metrics, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import type { SigningKey } from '../signing-keys/signing-key.entity.ts';

const EVERY_MS = 3_600_000;
const PAGE = 200;
const DAY_MS = 86_400_000;
/** Days before the end of a chain from which its tenant's members are notified once more. */
const NOTIFY_DAYS = [7, 30] as const;

type CertificateInUse = Pick<SigningKey, 'fingerprint' | 'tenant_id' | 'certificate_chain_der'> & {
  certificate_der: Buffer;
};
type Owner = 'platform' | 'tenant';

/**
 * Measures how long the certificates last that documents are sealed with, and notifies the members of a tenant before its own end. Every
 * process does it: a notification is written once for its occasion.
 */
@Injectable()
export class WatchCertificates extends PeriodicWork {
  private readonly daysLeft;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    super({ name: 'watch-certificates', everyMs: EVERY_MS, runsAtStart: true, logger });
    const help = 'Days until the first certificate ends that documents are sealed with, by whose it is';
    this.daysLeft = metrics.gauge('signing_certificate_days_left', help, ['owner']);
  }

  override async run(signal?: AbortSignal): Promise<void> {
    const least = new Map<Owner, number>();
    for await (const inUse of this.certificatesInUse()) {
      if (signal?.aborted) return;
      const endsAt = firstEnd(inUse);
      const days = (endsAt.getTime() - Date.now()) / DAY_MS;
      const owner = inUse.tenant_id === null ? 'platform' : 'tenant';
      least.set(owner, Math.min(days, least.get(owner) ?? days));
      if (inUse.tenant_id !== null) await this.notify(inUse.tenant_id, endsAt, days);
    }
    this.daysLeft.reset(); // the last tenant with a key of its own may have removed it
    for (const [owner, days] of least) this.daysLeft.set({ owner }, days);
  }

  private async *certificatesInUse(): AsyncGenerator<CertificateInUse> {
    let after: Buffer = Buffer.alloc(0);
    for (;;) {
      const page = await this.database.query<CertificateInUse>('select * from signing.certificates_in_use($1, $2)', [
        after,
        PAGE,
      ]);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.fingerprint;
    }
  }

  private async notify(tenantId: string, endsAt: Date, days: number): Promise<void> {
    const within = NOTIFY_DAYS.find((limit) => days <= limit);
    if (within === undefined) return;
    const facts = { tenant_id: tenantId, ends_at: endsAt.toISOString(), days_left: Math.floor(days) };
    this.logger.warn(facts, 'a certificate that a tenant seals with ends soon');
    const occasion = `${facts.ends_at} ${within}`;
    await this.database.tenant(tenantId, (tx) =>
      tx.query('select platform_v1.notify_of_certificate($1, $2)', [tenantId, occasion]),
    );
  }
}

/** A chain seals until the first of its certificates ends. */
function firstEnd({ certificate_der, certificate_chain_der }: CertificateInUse): Date {
  const ends = [certificate_der, ...certificate_chain_der].map((der) => certificateFacts(der).validTo.getTime());
  return new Date(Math.min(...ends));
}
