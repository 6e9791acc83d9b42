import { type EmbedProgress, EmbedTargets, type EnabledTarget } from '@constancia/embed-sessions';
import { PageFiles, pathUuid, type Tenant } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { NotFound, StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { SigningConfig } from '../config.ts';
import { tenantSealing } from '../envelope-records/envelope-secrets.ts';
import { EnvelopeSigner } from '../envelope-records/envelope-signer.entity.ts';
import { isOpen } from '../envelope-records/envelope-states.ts';
import { Envelope } from '../envelope-records/envelope.entity.ts';
import { lockEnvelope } from '../envelope-records/lock-envelope.ts';
import { SIGN_PAGES } from '../sign/sign-pages.ts';
import { EmbedSession } from './embed-session.entity.ts';
import { type ShownSigner, signerProgress } from './signer-progress.ts';

/** Embed sessions of kind sign: the page of one signer. A frame may do what the mailed link may, for as long as that works. */
@Injectable()
export class EmbeddedSigners extends EmbedTargets<ShownSigner> {
  readonly kind = 'sign';
  readonly schema = 'signing';
  readonly row = EmbedSession;
  readonly idPrefix = 'sgn';
  readonly files = new PageFiles(SIGN_PAGES.folders);
  readonly unknown = 'There is no signer with this id.';

  constructor(
    readonly config: SigningConfig,
    readonly database: Database,
    private readonly personal: PersonalData,
  ) {
    super();
  }

  get pageAddress(): string {
    return this.config.signUrl.replace(/\/+$/, '');
  }

  /** Loads the tenant's key too, which may ask KMS: `enable` runs in a transaction. */
  async idOf(tenantId: string, id: string): Promise<string> {
    const signerId = pathUuid('sgn', id);
    await tenantSealing(this.personal, tenantId);
    await this.database.tenant(tenantId, (tx) => signerRow(tx, tenantId, signerId));
    return signerId;
  }

  /** Locks the envelope, so that a new link or an erasure of the signer comes either before the session or finds it. */
  async enable(
    tx: Tx,
    { id: tenantId }: Tenant,
    { targetId }: { targetId: string },
  ): Promise<EnabledTarget<ShownSigner>> {
    const { envelope_id: envelopeId } = await signerRow(tx, tenantId, targetId);
    const sealing = await tenantSealing(this.personal, tenantId);
    const { envelope, signers } = await lockEnvelope(tx, sealing, tenantId, envelopeId);
    const signer = signers.find(({ id }) => id === targetId);
    if (!signer) throw new NotFound();
    const { status, link_stopped_at } = signer;
    if (!isOpen(envelope.status) || envelope.expires_at.getTime() <= Date.now()) {
      throw new StateConflict(
        `The envelope is ${isOpen(envelope.status) ? 'past its time' : envelope.status}: there is nothing to sign.`,
      );
    }
    if (status === 'signed' || status === 'declined') {
      throw new StateConflict(`The signer has ${status}: there is nothing to sign.`);
    }
    if (link_stopped_at !== null) {
      throw new StateConflict('The link of this signer was stopped (not-me): make a new one first (rotate-token).');
    }
    return { target: { signer, envelope }, columns: { link_hash: signer.token_hash } };
  }

  async read(tx: Tx, { tenant_id, target_id }: EmbedSession): Promise<ShownSigner> {
    const signer = await signerRow(tx, tenant_id, target_id);
    const envelope = await tx.manager.findOneBy(Envelope, { tenant_id, id: signer.envelope_id });
    if (!envelope) throw new NotFound();
    return { signer, envelope };
  }

  /** Nothing changes of the signer: opening the frame is no request of theirs. */
  async open(): Promise<void> {}

  progressOf({ signer, envelope }: ShownSigner, { link_hash }: EmbedSession): EmbedProgress {
    return signerProgress({ signer, envelope }, link_hash, new Date());
  }
}

async function signerRow(tx: Tx, tenantId: string, id: string): Promise<EnvelopeSigner> {
  const signer = await tx.manager.findOneBy(EnvelopeSigner, { tenant_id: tenantId, id });
  if (!signer) throw new NotFound();
  return signer;
}
