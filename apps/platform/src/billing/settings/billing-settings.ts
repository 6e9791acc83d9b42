import { MAX_INT32, shape } from '@constancia/contracts';
import type { CreditAccount } from '@constancia/credit-ledger';
import { ApiOptional } from '@constancia/http';
import { Database } from '@constancia/persistence';
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

  async of(tenantId: string): Promise<BillingSettingsView> {
    const [row] = await this.database.tenant(tenantId, (tx) =>
      tx.query<SettingsRow>(
        `select low_balance_threshold, low_balance_notify as notify, available from platform.credit_account where tenant_id = $1`,
        [tenantId],
      ),
    );
    return viewOf(row ?? { low_balance_threshold: null, notify: true, available: 0 });
  }

  async put(tenantId: string, { low_balance_threshold, notify }: BillingSettingsBody): Promise<BillingSettingsView> {
    const [row] = await this.database.tenant(tenantId, (tx) =>
      tx.query<SettingsRow>('select * from platform.put_billing_settings($1, $2, $3)', [
        tenantId,
        low_balance_threshold,
        notify ?? true,
      ]),
    );
    return viewOf(row as SettingsRow);
  }
}

function viewOf({ low_balance_threshold, notify, available }: SettingsRow): BillingSettingsView {
  return {
    low_balance_threshold,
    notify,
    balance_is_low: low_balance_threshold !== null && available < low_balance_threshold,
  };
}
