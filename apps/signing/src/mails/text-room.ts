import { createHmac } from 'node:crypto';
import { overOwnLimit } from '@constancia/http';
import { derivedKeys } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { SigningConfig } from '../config.ts';
import { OTP } from '../otp-rules.ts';

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
/** A signer who waits until `resend_after`, which is a time of this process, has waited long enough for the store as well. */
const SLACK_SECONDS = 5;

type Limit = 'interval' | 'hour' | 'day' | 'tenant';

/** Limits the codes that are sent to one phone, whichever tenants and envelopes ask for them, and those that are sent on behalf of a tenant. */
@Injectable()
export class TextRoom {
  private readonly keys: readonly Buffer[];

  constructor(private readonly config: SigningConfig) {
    this.keys = derivedKeys(config.secretsKey, 'phoneNumbers');
  }

  /** Room for a code to a number. Throws RateLimitExceeded. */
  async take(tx: Tx, tenantId: string, phone: string): Promise<void> {
    const { textsPerNumber, textsPerTenant } = this.config;
    const args = {
      numbers: this.keys.map((key) => createHmac('sha256', key).update(phone).digest('hex')),
      between_seconds: OTP.betweenSendsMs / 1_000,
      per_hour: OTP.sendsPerHour,
      per_day: textsPerNumber,
      per_tenant: textsPerTenant,
      slack_seconds: SLACK_SECONDS,
    };
    const [row] = await tx.query<{ over: { limit: Limit; until: number } | null }>(
      'select signing.take_text_room($1, $2) as over',
      [tenantId, JSON.stringify(args)],
    );
    if (!row?.over) return;
    const { limit, until } = row.over;
    const at = new Date(until * 1_000);
    throw overOwnLimit({ ...this.limitOf(limit), until: at, members: { resend_after: at.toISOString() } });
  }

  private limitOf(limit: Limit) {
    const { textsPerNumber, textsPerTenant } = this.config;
    const toNumber = { name: 'texts-per-number', detail: 'Codes were sent to this number already' };
    const limits = {
      interval: { ...toNumber, limit: 1, windowSeconds: OTP.betweenSendsMs / 1_000 },
      hour: { ...toNumber, limit: OTP.sendsPerHour, windowSeconds: HOUR_SECONDS },
      day: { ...toNumber, limit: textsPerNumber, windowSeconds: DAY_SECONDS },
      tenant: {
        ...{ name: 'texts', limit: textsPerTenant, windowSeconds: DAY_SECONDS },
        detail: 'The sender has reached the number of codes to phones in 24 hours',
      },
    };
    return limits[limit];
  }
}
