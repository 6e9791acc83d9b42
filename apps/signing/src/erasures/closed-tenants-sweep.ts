import { drainBacklog } from '@constancia/kernel';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import type { EnvelopeLocale } from '../envelope-records/envelope.entity.ts';
import { EnvelopeEndings } from '../envelopes/envelope-endings.ts';
import { type EnvelopeKey, Envelopes } from '../envelopes/envelopes.ts';

const EVERY_MS = 5_000;
const BATCH = 50;

/** Read by signers who were written to. */
const TENANT_CLOSED: Record<EnvelopeLocale, string> = {
  'es-CO': 'La empresa que envió el documento cerró su cuenta.',
  en: 'The company that sent the document closed its account.',
};

/** Voids the open envelopes of tenants that were closed. Every process does it: the one that takes an envelope's lock first voids it. */
@Injectable()
export class ClosedTenantsSweep extends PeriodicWork {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly endings: EnvelopeEndings,
    logger: Logger,
  ) {
    super({ name: 'closed-tenants-sweep', everyMs: EVERY_MS, logger });
  }

  override run(signal?: AbortSignal): Promise<void> {
    return drainBacklog({
      batch: BATCH,
      due: (limit) => this.envelopes.ofClosedTenants(limit),
      handle: (due) => this.voidOfClosed(due),
      about: ({ id }) => ({ envelope_id: id }),
      signal,
    });
  }

  /** A closed tenant would never receive the signed document. False when it has ended already. */
  private voidOfClosed(due: EnvelopeKey): Promise<boolean> {
    return this.endings.end(due, (envelope) => {
      const reason = TENANT_CLOSED[envelope.locale];
      return { envelope, action: 'void', reason, data: { cause: 'tenant_closed' } };
    });
  }
}
