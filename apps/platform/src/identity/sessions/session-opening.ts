import { SESSION_HOURS } from '@constancia/contracts/capture';
import { typeId, uuidv7 } from '@constancia/kernel';
import type { Tenant } from '@constancia/http';
import { plainDocumentNumber } from '@constancia/reference-data';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import type { Flow } from '../flows/flow.entity.ts';
import { CaptureTokens } from '../hosted/capture-tokens.ts';
import type { SubjectFacts } from '../subjects/subject.ts';
import { Subjects } from '../subjects/subjects.ts';
import type { OpenSessionBody } from './open-session-body.ts';
import { triggerOf } from './sandbox-triggers.ts';
import { sessionRow } from './session-changes.ts';
import type { FlowSession } from './session-row.ts';
import { generateSessionToken } from './session-token.ts';
import { appendTrail } from './session-trail.ts';

/** A session to open. The document is one that the flow accepts. */
export interface SessionToOpen {
  tenant: Pick<Tenant, 'id' | 'displayName' | 'environment'>;
  flow: Flow;
  body: Omit<OpenSessionBody, 'type' | 'code'>;
  /** Who opens it, for the trail. */
  actor: string;
  /** What the trail's first event states in addition. */
  trail: Record<string, unknown>;
}

export interface OpenedSession {
  session: FlowSession;
  /** The session token, in the clear. */
  token: string;
  /** Of a hosted session: the address of its page, in the clear. */
  captureUrl: string | null;
}

/** Opens sessions, for the tenant's own request and for other modules. */
@Injectable()
export class SessionOpening {
  constructor(
    private readonly config: PlatformConfig,
    private readonly subjects: Subjects,
    private readonly captures: CaptureTokens,
  ) {}

  /** Writes a session at the first step of its flow, and its subject. */
  async open(tx: Tx, { tenant, flow, body, actor, trail }: SessionToOpen): Promise<OpenedSession> {
    const facts = factsOf(body);
    const subject = await this.subjects.findOrCreate(tx, tenant.id, facts);
    await this.subjects.setStatus(tx, subject, { kycStatus: 'in_progress' });
    const number = plainDocumentNumber(body.document_number);
    const document = { type: facts.documentType, country: facts.country, number };
    const trigger = triggerOf({ deployment: this.config.environment, tenant: tenant.environment }, document);
    const token = generateSessionToken();
    const id = uuidv7();
    await tx.query(INSERT, [
      id,
      tenant.id,
      flow.id,
      subject.id,
      facts.externalRef,
      facts.documentType,
      facts.country,
      trigger?.name ?? null,
      token.hash,
      SESSION_HOURS,
    ]);
    const session = await sessionRow(tx, tenant.id, id);
    await appendTrail(tx, { tenantId: tenant.id, sessionId: id }, [
      {
        type: 'opened',
        actor,
        step: null,
        from: null,
        to: 'in_progress',
        data: {
          ...trail,
          session_id: typeId('fls', id),
          flow: { code: flow.code, type: flow.type, version: flow.version },
          ...(trigger && { sandbox_trigger: trigger.name }),
          ...(body.hosted && { hosted: true }),
        },
      },
    ]);
    const captureUrl = body.hosted ? await this.host(tx, tenant, id, body) : null;
    return { session, token: token.plaintext, captureUrl };
  }

  private host(
    tx: Tx,
    tenant: SessionToOpen['tenant'],
    sessionId: string,
    { return_url, locale }: SessionToOpen['body'],
  ): Promise<string> {
    return this.captures.open(tx, {
      session_id: sessionId,
      tenant_id: tenant.id,
      tenant_name: tenant.displayName,
      return_url: return_url ?? null,
      locale: locale ?? 'es-CO',
    });
  }
}

const INSERT = `
  insert into identity.flow_session (id, tenant_id, flow_id, subject_id, external_ref, document_type, document_country, trigger,
         token_hash, current_step, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, now() + make_interval(hours => $10))`;

function factsOf(body: SessionToOpen['body']): SubjectFacts {
  return {
    externalRef: body.external_ref ?? null,
    documentType: body.document_type,
    documentNumber: plainDocumentNumber(body.document_number),
    country: body.country,
    email: body.email ?? null,
    phone: body.phone ?? null,
  };
}
