import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import { type CaptureState, type PersonLocale, PRESENTATION_SECONDS } from '@constancia/contracts';
import { CreditLedger } from '@constancia/credit-ledger';
import { SecretBox, typeId, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import type { StepType } from '../flows/step-types.ts';
import { type CaptureBearer, captureOf } from '../hosted/capture-tokens.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { consentAddress, insertPresentation } from '../presentations/new-presentation.ts';
import { isOpen } from '../presentations/presentation-rows.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';
import { requestLinkContext, requestsOfSession } from '../presentations/session-requests.ts';
import { lockSession } from '../sessions/session-changes.ts';
import { currentStep, type FlowSession } from '../sessions/session-row.ts';
import { SignerCheck } from '../signers/signer-check.entity.ts';
import { acceptedAgeDays, isUsable, reusableSteps } from '../steps/reuse-policy.ts';

/** Requests of one session: each may send mails, and holds credits while it is open. */
const MOST_REQUESTS = 5;
const IDENTITY: readonly StepType[] = ['document_upload', 'face_match'];
const PURPOSE: Record<PersonLocale, string> = {
  'es-CO': 'Verificar su identidad para firmar un documento; apruebe solo si usted abrió esta página desde su firma',
  en: 'Verify your identity to sign a document; approve only if you opened this page from your signature yourself',
};

/** Lets the signer of a check give a verification that they keep, instead of taking the pictures of the flow. */
@Injectable()
export class CaptureReuse {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly ledger: CreditLedger,
    private readonly secrets: SecretBox,
  ) {}

  /** What the page of a session offers; null: the session takes no kept verification, or not at this step. */
  async offer(tx: Tx, session: FlowSession): Promise<CaptureState['reuse']> {
    if (!(await takesKept(tx, session))) return null;
    const requests = await requestsOfSession(tx, session);
    if (requests.some((row) => isUsable(row, session.steps, new Date()))) return { status: 'given', consent_url: null };
    const open = requests.find(isOpen);
    if (open) return { status: 'asked', consent_url: this.addressOf(open) };
    return requests.length < MOST_REQUESTS ? { status: 'offered', consent_url: null } : null;
  }

  /** Asks the person for what they keep. Asking again while that can be answered changes nothing. */
  async ask(bearer: CaptureBearer): Promise<void> {
    const { tenantId, sessionId } = bearer;
    await this.database.tenant(tenantId, async (tx) => {
      const session = await lockSession(tx, tenantId, sessionId);
      const offer = await this.offer(tx, session);
      if (offer === null) throw new StateConflict('A kept verification cannot be used now: take the steps.');
      if (offer.status === 'offered') {
        await this.request(tx, session, { ...(await captureOf(tx, bearer)), ...bearer.shown });
      }
    });
  }

  private async request(
    tx: Tx,
    session: FlowSession,
    { tenant_name, locale }: { tenant_name: string; locale: PersonLocale },
  ): Promise<void> {
    const id = uuidv7();
    const token = randomBytes(32).toString('base64url');
    await insertPresentation(tx, this.ledger, {
      ...{ id, tenant_id: session.tenant_id, tenant_name, session_id: session.id, channel: 'redirect' },
      purpose: PURPOSE[locale],
      claims: ['full_name', 'document_number'],
      max_age_days: acceptedAgeDays(session.steps),
      metadata: { session_id: typeId('fls', session.id) },
      token_hash: hashSecret(token),
      link_sealed: this.secrets.seal(token, requestLinkContext(id)),
      expires_at: new Date(Date.now() + PRESENTATION_SECONDS * 1_000),
    });
  }

  private addressOf({ id, link_sealed }: Presentation): string | null {
    if (link_sealed === null) return null;
    return consentAddress(this.config.personAddress, this.secrets.open(link_sealed, requestLinkContext(id)).toString());
  }
}

/** A signer at the consent of a flow whose document and face a kept verification can stand for. */
async function takesKept(tx: Tx, session: FlowSession): Promise<boolean> {
  if (currentStep(session)?.step_type !== 'consent' || acceptedAgeDays(session.steps) === 0) return false;
  const steps = reusableSteps(session.steps, session.current_step ?? 0);
  if (!IDENTITY.every((type) => steps.includes(type))) return false;
  return tx.manager.existsBy(SignerCheck, { tenant_id: session.tenant_id, session_id: session.id });
}
