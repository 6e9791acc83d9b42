import type { AskedAddress } from '@constancia/http';
import { SecretBox, type SecretKeySettings, typeId, uuidOf } from '@constancia/kernel';
import { Unauthorized } from '@constancia/problem-json';

/** The name that routes give the check of these addresses. */
export const RECOVERY_EVIDENCE = 'recovery-evidence';
export const EVIDENCE_PATH = '/v1/wallet/recovery-evidence';

const CONTEXT = 'wallet_recovery_evidence';
const TOKEN = /^[A-Za-z0-9_-]{60,200}$/;

/** Whose evidence an address takes. */
export interface EvidenceGrant {
  /** UUID. */
  recoveryId: string;
  /** A wallet belongs to none. */
  tenantId?: never;
}

/**
 * Addresses below which a person whose contact is proven sends pictures of their face, and begins what they are to show. The token says
 * whose they are and until when, sealed: it is made for nobody whose code was wrong.
 */
export class EvidenceAddresses {
  private readonly box: SecretBox;

  /** @param baseUrl of the page host */
  constructor(
    settings: SecretKeySettings,
    private readonly baseUrl: string,
  ) {
    this.box = SecretBox.ofSecret(settings);
  }

  addressOf(recoveryId: string, expiresAt: Date): string {
    const sealed = this.box.seal(`${typeId('wrc', recoveryId)}|${expiresAt.getTime()}`, CONTEXT);
    return `${this.baseUrl}${EVIDENCE_PATH}/${sealed.toString('base64url')}`;
  }

  /** Throws Unauthorized for one that was altered or is over. */
  grantOf({ params }: AskedAddress, now: Date = new Date()): EvidenceGrant {
    const [id = '', expiresAt = ''] = this.opened(params.token ?? '').split('|');
    const recoveryId = uuidOf('wrc', id);
    if (recoveryId === null || Number(expiresAt) <= now.getTime()) throw over();
    return { recoveryId };
  }

  private opened(token: string): string {
    if (!TOKEN.test(token)) throw over();
    try {
      return this.box.open(Buffer.from(token, 'base64url'), CONTEXT).toString('utf8');
    } catch {
      throw over();
    }
  }
}

const over = () => new Unauthorized('This address was altered, or its time is over: begin the recovery again.');
