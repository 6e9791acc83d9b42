import type { ConsentEnd } from '@constancia/contracts';
import { CreditLedger } from '@constancia/credit-ledger';
import { emitEvent } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import { NotFound, StateConflict } from '@constancia/problem-json';
import { Logger, Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import type { ConsentBearer } from './consent-links.ts';
import { provedOnce } from './consent-states.ts';
import { endedEvent } from './presentation-events.ts';
import { endPresentation, isOpen, lockPresentation, releaseHold } from '../presentations/presentation-rows.ts';
import { Presentation } from '../presentations/presentation.entity.ts';

/**
 * A person's no. The tenant sees a request that nobody answers, whose credits come back when its time is over: a refusal would prove that
 * the person was reached. Only a person who has proved whose the wallet is can let the tenant know.
 */
@Injectable()
export class RefusePresentation {
  private readonly reports;

  constructor(
    private readonly database: IdentityDatabase,
    private readonly ledger: CreditLedger,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.reports = metrics.counter('wallet_reports_total', 'Requests that persons reported as abuse', []);
  }

  decline(bearer: ConsentBearer, browser: string, tellTenant: boolean): Promise<ConsentEnd> {
    const { tenantId, presentationId } = bearer;
    return this.database.tenant(tenantId, async (tx) => {
      const row = await lockPresentation(tx, tenantId, presentationId);
      if (!isOpen(row)) return refused(row, browser);
      if (!tellTenant) {
        await tx.manager.update(Presentation, { id: row.id, tenant_id: tenantId }, { refused_at: new Date() });
        return endOf(row);
      }
      if (!provedOnce(row, browser))
        throw new StateConflict('Prove that the wallet is yours first, or decline without telling.');
      await endPresentation(tx, row, { status: 'declined' });
      await emitEvent(tx, endedEvent(row, 'declined'));
      await releaseHold(tx, this.ledger, row);
      return endOf(row);
    });
  }

  /** A no, and an operator looks at who asked. */
  async report({ tenantId, presentationId }: ConsentBearer, browser: string): Promise<ConsentEnd> {
    const { end, repeated } = await this.database.tenant(tenantId, async (tx) => {
      const row = await lockPresentation(tx, tenantId, presentationId);
      if (!isOpen(row)) return { end: refused(row, browser), repeated: true };
      const now = new Date();
      await tx.manager.update(Presentation, { id: row.id, tenant_id: tenantId }, { refused_at: now, reported_at: now });
      return { end: endOf(row), repeated: false };
    });
    if (repeated) return end;
    this.reports.inc({});
    const facts = { tenant_id: tenantId, presentation_id: typeId('wpr', presentationId) };
    this.logger.warn(facts, 'a person reported a request for their verification');
    return end;
  }
}

const endOf = ({ return_url }: Presentation): ConsentEnd => ({ redirect_to: return_url });

/** Repeated by the browser that refused: the same answer. */
function refused(row: Presentation, browser: string): ConsentEnd {
  if (!provedOnce(row, browser)) throw new NotFound();
  if (row.status === 'declined' || row.refused_at !== null) return endOf(row);
  throw new StateConflict('The request is over: it was answered, it was cancelled, or its time has passed.');
}
