import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import type { SignerIdentityRequest } from '@constancia/contracts';
import { hostOf, overOwnLimit } from '@constancia/http';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { CLAIM, tokenHashOf } from '../signer-requests/browser-tokens.ts';
import type { FastifyRequest } from 'fastify';
import { IdentityCheck } from './identity-check.entity.ts';

/** How often a signer may start a check: each check may end in a face comparison, which the tenant pays for. */
export const STARTS = { perHour: 5, windowMs: 3_600_000 } as const;

/** claim: what the browser is given that started it, once; null for one that has it already. */
export interface StartedCheck {
  check: IdentityCheck;
  claim: string | null;
}

/** The present check of each signer. Anyone who writes one holds the row of its envelope. */
@Injectable()
export class IdentityChecks {
  constructor(private readonly box: SecretBox) {}

  find(tx: Tx, tenantId: string, signerId: string): Promise<IdentityCheck | null> {
    return tx.manager.findOneBy(IdentityCheck, { tenant_id: tenantId, signer_id: signerId });
  }

  /**
   * Starts a check in place of any other: from here on the former browser's claim and the answer to the former check are ignored.
   * So the recipient of a forwarded link cannot use what the signer verifies afterwards, nor what was verified before.
   */
  async start(
    tx: Tx,
    { tenantId, signerId, former }: { tenantId: string; signerId: string; former: IdentityCheck | null },
    request: SignerIdentityRequest,
  ): Promise<StartedCheck> {
    const claim = randomBytes(32).toString('base64url');
    const check: IdentityCheck = {
      signer_id: signerId,
      tenant_id: tenantId,
      id: uuidv7(),
      status: 'requested',
      reason: null,
      claim_hash: hashSecret(claim),
      request_sealed: null,
      capture_sealed: null,
      verified: null,
      starts: [...startsWithinWindow(former), new Date()],
      asked_at: new Date(),
      created_at: new Date(),
      settled_at: null,
    };
    check.request_sealed = this.box.seal(JSON.stringify(request), identityRequestContext(signerId));
    await tx.manager.delete(IdentityCheck, { tenant_id: tenantId, signer_id: signerId });
    await tx.manager.insert(IdentityCheck, check);
    return { check, claim };
  }

  openRequest(signerId: string, sealed: Buffer): SignerIdentityRequest {
    return JSON.parse(this.box.open(sealed, identityRequestContext(signerId)).toString()) as SignerIdentityRequest;
  }

  sealCapture(signerId: string, url: string): Buffer {
    return this.box.seal(url, identityCaptureContext(signerId));
  }

  captureUrl({ signer_id, capture_sealed }: IdentityCheck): string | null {
    return capture_sealed && this.box.open(capture_sealed, identityCaptureContext(signer_id)).toString();
  }
}

/** Whether a request comes from the browser that started a check. */
export function holdsClaim(request: FastifyRequest, check: IdentityCheck | null): check is IdentityCheck {
  const { raw, method, headers } = request;
  const hash = tokenHashOf(CLAIM, { method, headers, host: hostOf(raw) });
  return hash !== null && check !== null && check.claim_hash.equals(hash);
}

/** Throws RateLimitExceeded when the signer has started too many. */
export function refuseTooManyStarts(former: IdentityCheck | null): void {
  const starts = startsWithinWindow(former);
  if (starts.length < STARTS.perHour) return;
  const until = new Date((starts[0] as Date).getTime() + STARTS.windowMs);
  throw overOwnLimit({
    ...{ name: 'identity', limit: STARTS.perHour, windowSeconds: STARTS.windowMs / 1000, until },
    detail: 'The verification was started too often',
  });
}

function startsWithinWindow(former: IdentityCheck | null): Date[] {
  const since = Date.now() - STARTS.windowMs;
  return (former?.starts ?? []).filter((at) => at.getTime() > since);
}

/** Bound to the signer: what is copied into another row does not open there. */
export const identityRequestContext = (signerId: string): string => `identity_request:${signerId}`;
export const identityCaptureContext = (signerId: string): string => `identity_capture:${signerId}`;
