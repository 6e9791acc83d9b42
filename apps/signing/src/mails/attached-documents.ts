import { Database } from '@constancia/persistence';
import { DependencyUnavailable } from '@constancia/problem-json';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { Circuit } from '../circuits/circuit.entity.ts';
import { Envelope } from '../envelope-records/envelope.entity.ts';
import { PdfStore } from '../pdf-store.ts';
import type { ClaimedMail } from './claimed-mail.ts';

/** Mail servers refuse larger messages; the link always leads to the document. */
export const MOST_ATTACHED_BYTES = 10_000_000;

/** The sealed documents that mails carry. */
@Injectable()
export class AttachedDocuments {
  constructor(
    private readonly database: Database,
    private readonly store: PdfStore,
    private readonly logger: Logger,
  ) {}

  /** Of a mail that all have signed, when the circuit wants it and it is small enough. Throws DependencyUnavailable. */
  async of({ kind, tenant_id, envelope_id, id }: ClaimedMail): Promise<Buffer | null> {
    if (kind !== 'completed') return null;
    const key = await this.database.tenant(tenant_id, async (tx) => {
      const envelope = await tx.manager.findOneBy(Envelope, { tenant_id, id: envelope_id });
      const { document_key, document_size, circuit_id } = envelope ?? {};
      if (!document_key || (document_size ?? Infinity) > MOST_ATTACHED_BYTES) return null;
      const wanted = await tx.manager.existsBy(Circuit, { tenant_id, id: circuit_id, attach_document: true });
      return wanted ? document_key : null;
    });
    if (key === null) return null;
    try {
      return await this.store.get(key);
    } catch (error) {
      if (error instanceof DependencyUnavailable) throw error;
      this.logger.error({ err: error, mail_id: id, tenant_id }, 'a sealed document is not attached to its mail');
      return null; // the link is in the mail all the same
    }
  }
}
