import type { FunctionCall } from '@constancia/credit-ledger';
import { overOwnLimit } from '@constancia/http';
import { sqlState, type Tx } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import type { RateLimitExceeded } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { type MailLimits, SigningConfig } from '../config.ts';
import { emailIndex } from '../envelope-records/signer-secrets.ts';

const DAY_SECONDS = 86_400;
const NO_ROOM = 'CN429';

/** Limits the mails that are sent on behalf of a tenant. A request that would exceed a limit is rejected as a whole, before anything is charged. */
@Injectable()
export class MailRoom {
  readonly limits: MailLimits;

  constructor(
    private readonly personal: PersonalData,
    config: SigningConfig,
  ) {
    this.limits = config.mailLimits;
  }

  /** For commit_work: room for one mail to each of these addresses. */
  async callOf(tenantId: string, emails: readonly string[]): Promise<FunctionCall> {
    return { function: 'take_mail_room', args: await this.argsOf(tenantId, emails) };
  }

  /** Room for a mail to an address; null: one that counts for the tenant alone. Throws RateLimitExceeded. */
  async take(tx: Tx, tenantId: string, email: string | null): Promise<void> {
    if (email === null && this.limits.perTenant === null) return;
    try {
      await this.ask(tx, tenantId, email, false);
    } catch (error) {
      throw this.refusalOf(error) ?? error;
    }
  }

  /** The next room there is; null when the mail may go out at once. */
  async reserve(tx: Tx, tenantId: string, email: string | null): Promise<Date | null> {
    if (email === null && this.limits.perTenant === null) return null;
    return this.ask(tx, tenantId, email, true);
  }

  /** The problem for a store error that means no room; null for any other error. */
  refusalOf(error: unknown): RateLimitExceeded | null {
    const reached = limitReached(error);
    if (reached === null) return null;
    const { limit, until } = reached;
    const { perAddress, perTenant } = this.limits;
    return overOwnLimit(
      limit === 'address'
        ? {
            ...{
              name: 'mails-per-address',
              limit: perAddress,
              windowSeconds: DAY_SECONDS,
              until: new Date(until * 1_000),
            },
            detail: `One address gets at most ${perAddress} invitations and reminders from you in 24 hours. Nothing was sent or charged`,
          }
        : {
            ...{ name: 'mails', limit: perTenant ?? 0, windowSeconds: DAY_SECONDS, until: new Date(until * 1_000) },
            detail: `A sandbox tenant mails at most ${perTenant ?? 0} times in 24 hours. Nothing was sent or charged`,
          },
    );
  }

  private async ask(tx: Tx, tenantId: string, email: string | null, wait: boolean): Promise<Date | null> {
    const [row] = await tx.query<{ at: Date | null }>('select signing.take_mail_room($1, $2) as at', [
      tenantId,
      JSON.stringify({ ...(await this.argsOf(tenantId, [email])), wait }),
    ]);
    return row?.at ?? null;
  }

  private async argsOf(tenantId: string, emails: readonly (string | null)[]): Promise<Record<string, unknown>> {
    const keyring = await this.personal.tenant(tenantId);
    const { perAddress, perTenant } = this.limits;
    return {
      addresses: emails.map((email) => email && emailIndex(keyring, email).toString('hex')),
      per_address: perAddress,
      per_tenant: perTenant,
    };
  }
}

/** The limit that a store error means, and until when (Unix seconds) there is no room; null for any other error. */
export function limitReached(error: unknown): { limit: 'address' | 'tenant'; until: number } | null {
  if (sqlState(error) !== NO_ROOM) return null;
  return JSON.parse(detailOf(error)) as { limit: 'address' | 'tenant'; until: number };
}

function detailOf(error: unknown): string {
  const { detail, driverError } = error as { detail?: string; driverError?: { detail?: string } };
  return detail ?? driverError?.detail ?? '{}';
}
