import { AuditLog, changedValues } from '@constancia/auth';
import { MAX_INT32, shape } from '@constancia/contracts';
import type { CreditAccount } from '@constancia/credit-ledger';
import { ApiOptional, type Principal } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsInt, Max, Min, ValidateIf } from 'class-validator';

export class BillingSettingsBody {
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Warn when the available credits fall below it; null: never.',
    example: 500,
  })
  @ValidateIf((body: BillingSettingsBody) => body.low_balance_threshold !== null)
  @IsInt()
  @Min(1)
  @Max(MAX_INT32)
  low_balance_threshold: number | null;

  @ApiOptional({
    default: true,
    description: 'Mail the owner too, at most once in an hour. The event is emitted in any case.',
  })
  @IsBoolean()
  notify?: boolean;
}

export class BillingSettingsView {
  @ApiProperty({ ...shape.count(MAX_INT32, 1), type: 'integer', nullable: true, example: 500 })
  low_balance_threshold: number | null;

  @ApiProperty({ description: 'Whether the owner is mailed.' })
  notify: boolean;

  @ApiProperty({ description: 'Whether the available credits are below the threshold now.' })
  balance_is_low: boolean;
}

type SettingsRow = Pick<CreditAccount, 'low_balance_threshold' | 'available'> & { notify: boolean };

/** How a tenant is warned of a low balance. Kept in its account, where the debits see it. */
@Injectable()
export class BillingSettings {
  constructor(private readonly database: Database) {}

  of(tenantId: string): Promise<BillingSettingsView> {
    return this.database.tenant(tenantId, (tx) => settingsOf(tx, tenantId));
  }

  /** Replaces them; the audit log says who did, and what they were. */
  put(principal: Principal, body: BillingSettingsBody, origin: string): Promise<BillingSettingsView> {
    const { id } = principal.tenant;
    return this.database.tenant(id, async (tx) => {
      const before = await settingsOf(tx, id);
      const [row] = await tx.query<SettingsRow>('select * from platform.put_billing_settings($1, $2, $3)', [
        id,
        body.low_balance_threshold,
        body.notify ?? true,
      ]);
      const after = viewOf(row as SettingsRow);
      const values = changedValues(recorded(before), recorded(after));
      const object = { kind: 'billing_settings', id: null };
      await AuditLog.record(tx, { principal, action: 'billing_settings.changed', object, ...values, origin });
      return after;
    });
  }
}

async function settingsOf(tx: Tx, tenantId: string): Promise<BillingSettingsView> {
  const [row] = await tx.query<SettingsRow>(
    `select low_balance_threshold, low_balance_notify as notify, available from platform.credit_account where tenant_id = $1`,
    [tenantId],
  );
  return viewOf(row ?? { low_balance_threshold: null, notify: true, available: 0 });
}

/** What was set, without the state of the balance. */
const recorded = ({ low_balance_threshold, notify }: BillingSettingsView) => ({ low_balance_threshold, notify });

function viewOf({ low_balance_threshold, notify, available }: SettingsRow): BillingSettingsView {
  return {
    low_balance_threshold,
    notify,
    balance_is_low: low_balance_threshold !== null && available < low_balance_threshold,
  };
}
