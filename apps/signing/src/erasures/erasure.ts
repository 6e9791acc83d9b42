import { type AuditEntry, AuditLog } from '@constancia/auth';
import { type EventRecord, hintDeliveries } from '@constancia/events';
import { Idempotency } from '@constancia/idempotency';
import { typeId, uuidv7 } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { NotFound } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import { endEnvelope } from '../envelopes/end-envelope.ts';
import { updateStored } from '../envelope-records/envelope-changes.ts';
import { emailIndex } from '../envelope-records/signer-secrets.ts';
import { isOpen } from '../envelope-records/envelope-states.ts';
import { Envelopes } from '../envelopes/envelopes.ts';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { clearEmbeds, eraseSigner } from './erased-signer.ts';
import { insertReceipt, receiptsOf } from './erasure-receipts.ts';
import type { EnvelopeLocale } from '../envelope-records/envelope.entity.ts';
import { type Erasable, ErasureReceipt } from './erasure-receipt.entity.ts';

export interface ErasureOrder {
  /** UUID of the receipt, when the caller has one. */
  id?: string;
  refs: string[];
  email: string | null;
  actor: string;
  /** Who asked for it here. An erasure that the identity module asks for is in the audit log already. */
  audit?: Pick<AuditEntry, 'principal' | 'origin' | 'onBehalfOf'>;
}

/** What becomes of a signer. waits: the document is being sealed, and will contain the person or not. */
type SignerOutcome = 'erased' | 'kept' | 'waits';

/** Read by the other signers, in the language of the envelope. */
const VOID_REASON: Record<EnvelopeLocale, string> = {
  'es-CO': 'Se pidió eliminar los datos personales de una de las personas que debían firmar.',
  en: 'The erasure of the personal data of one of the signers was requested.',
};

/** Rows that the release before wrote have no index of the address; sealed ones have the index alone. */
const SIGNERS = `select id from signing.envelope_signer where tenant_id = $1 and lower(email) = lower($2)
  union select id from signing.envelope_signer where tenant_id = $1 and email_index = $3 order by id`;
const LAST_REQUEST = `select max(created_at) as at from signing.signature_request where tenant_id = $1 and subject_ref = any ($2)`;
/** Its rows are sealed: it may have one about the person. */
const LAST_BATCH = `select max(created_at) as at from signing.envelope_batch
  where tenant_id = $1 and status in ('receiving', 'processing', 'paused')`;
const ENVELOPES = 'select distinct envelope_id from signing.envelope_signer where tenant_id = $1 and id = any ($2)';
const REQUESTS = `select bool_or(status = 'pending') as pending, bool_or(status = 'signed') as signed, count(*)::int as count
  from signing.signature_request where tenant_id = $1 and subject_ref = any ($2)`;
const WRITE = `update signing.erasure_receipt
    set erased = $3, kept = $4, settled_at = case when $5 then coalesce(settled_at, now()) end
  where tenant_id = $1 and id = $2`;

/**
 * Erases persons from this module. What is being sealed is finished first: a seal erases the merge data, and then the document is kept as
 * evidence; an envelope that still waits for signatures is voided. The receipt is written first and names the signers, so that what was
 * interrupted is taken up again.
 */
@Injectable()
export class Erasure {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly idempotency: Idempotency,
    private readonly envelopes: Envelopes,
    private readonly signerMails: SignerMails,
    private readonly mails: SignerMailLoop,
    private readonly queues: Queues,
  ) {}

  /** Carries an order out once, and answers it as often as it comes. */
  async erase(tenantId: string, order: ErasureOrder): Promise<ErasureReceipt> {
    const index = order.email === null ? null : emailIndex(await this.personal.tenant(tenantId), order.email);
    const id = await this.database.tenant(tenantId, async (tx) => {
      const known = order.id === undefined ? null : await receiptOf(tx, tenantId, order.id);
      if (known) return known.id;
      const signers =
        order.email === null ? [] : await tx.query<{ id: string }>(SIGNERS, [tenantId, order.email, index]);
      const earlier = await receiptsOf(tx, tenantId, order.refs);
      const [requests] = await tx.query<{ at: Date | null }>(LAST_REQUEST, [tenantId, order.refs]);
      const [batches] = await tx.query<{ at: Date | null }>(LAST_BATCH, [tenantId]);
      const found = {
        signerIds: signers.map((signer) => signer.id),
        lastRequest: requests?.at ?? null,
        batch: index && batches?.at ? { at: batches.at, index } : null,
      };
      if (order.id === undefined && earlier[0] && nothingNew(earlier, found)) return earlier[0].id;
      const receipt = { id: order.id ?? uuidv7(), tenant_id: tenantId, subject_refs: order.refs, actor: order.actor };
      await insertReceipt(tx, { ...receipt, signer_ids: found.signerIds, email_index: index });
      const object = { kind: 'erasure', id: typeId('rcp', receipt.id) };
      const { audit } = order;
      if (audit) await AuditLog.record(tx, { ...audit, action: 'erasure.created', object });
      return receipt.id;
    });
    return this.settle(tenantId, id);
  }

  /** Does what can be done now; answers the receipt. Throws NotFound. */
  async settle(tenantId: string, id: string): Promise<ErasureReceipt> {
    const receipt = await this.read(tenantId, id);
    if (receipt.settled_at !== null) return receipt;
    const outcomes = await this.signers(receipt);
    await this.database.tenant(tenantId, async (tx) => {
      const [requests] = await tx.query<{ pending: boolean | null; signed: boolean | null; count: number }>(REQUESTS, [
        tenantId,
        receipt.subject_refs,
      ]);
      const erased: Erasable[] = [];
      if (requests && requests.count > 0) erased.push('merge_data');
      if (outcomes.includes('erased')) erased.push('signers');
      const kept: Erasable[] = [];
      if (requests?.signed === true || outcomes.includes('kept')) kept.push('sealed_documents');
      if (outcomes.length > 0) kept.push('envelope_trails');
      const settled = requests?.pending !== true && !outcomes.includes('waits');
      await tx.query(WRITE, [tenantId, id, erased, kept, settled]);
    });
    return this.read(tenantId, id);
  }

  private async read(tenantId: string, id: string): Promise<ErasureReceipt> {
    const receipt = await this.database.tenant(tenantId, (tx) => receiptOf(tx, tenantId, id));
    if (!receipt) throw new NotFound('No such receipt.');
    return receipt;
  }

  private async signers({ tenant_id: tenantId, signer_ids: ids }: ErasureReceipt): Promise<SignerOutcome[]> {
    if (ids.length === 0) return [];
    const { database } = this;
    const rows = await database.tenant(tenantId, (tx) => tx.query<{ envelope_id: string }>(ENVELOPES, [tenantId, ids]));
    const outcomes: SignerOutcome[] = [];
    for (const { envelope_id } of rows) outcomes.push(await this.inEnvelope(tenantId, envelope_id, ids));
    return outcomes;
  }

  /** What can be done in one envelope, with its row held. */
  private async inEnvelope(tenantId: string, envelopeId: string, ids: readonly string[]): Promise<SignerOutcome> {
    const { envelopes, personal, idempotency, signerMails, mails, queues } = this;
    let event: EventRecord | undefined;
    const outcome = await envelopes.change<SignerOutcome>(
      tenantId,
      typeId('env', envelopeId),
      async ({ envelope, signers }, tx) => {
        event = undefined;
        await idempotency.eraseOwner(tx, tenantId, envelopeId); // its stored answer names all signers
        await clearEmbeds(tx, tenantId, ids);
        if (envelope.status === 'sealed') return 'kept';
        if (envelope.status === 'sealing') return 'waits';
        if (isOpen(envelope.status)) {
          const reason = VOID_REASON[envelope.locale];
          event = await endEnvelope(tx, signerMails, { envelope, action: 'void', reason });
        }
        for (const signer of signers) if (ids.includes(signer.id)) await eraseSigner(tx, personal, signer);
        await updateStored(tx, 'envelope', envelopeId, { sealed_values: null }); // may be about the person
        return 'erased';
      },
    );
    if (event) {
      hintDeliveries(queues, [event]);
      mails.wake();
    }
    return outcome;
  }
}

function receiptOf(tx: Tx, tenantId: string, id: string): Promise<ErasureReceipt | null> {
  return tx.manager.findOneBy(ErasureReceipt, { id, tenant_id: tenantId });
}

interface FoundOfPerson {
  signerIds: readonly string[];
  lastRequest: Date | null;
  /** An unfinished batch, and the index of the person's address: rows of it are left out by a receipt with that. */
  batch: { at: Date; index: Buffer } | null;
}

function nothingNew(earlier: readonly ErasureReceipt[], { signerIds, lastRequest, batch }: FoundOfPerson): boolean {
  const known = new Set(earlier.flatMap((receipt) => receipt.signer_ids));
  const latest = earlier[0]?.erased_at.getTime() ?? 0;
  const isLeftOut =
    batch === null ||
    earlier.some(({ email_index, erased_at }) => email_index?.equals(batch.index) && erased_at >= batch.at);
  return isLeftOut && signerIds.every((id) => known.has(id)) && (lastRequest?.getTime() ?? 0) <= latest;
}
