import { OpsAnswer, OpsController, OpsOperation, tenantNamed, TenantQuery } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Get, Query } from '@nestjs/common';
import { LEDGER } from './platform-answers.ts';

const VERIFIED = `
  select v.*, platform.ops_archived_entries($1) as archived_entries from platform.ops_verify_ledger($1) v`;

/** Whether the credit ledger adds up. */
@OpsController('ops/ledger')
export class LedgerActions {
  constructor(private readonly database: Database) {}

  @Get('verify')
  @OpsOperation('every balance against its entries and holds, of one tenant or of all')
  @OpsAnswer(200, LEDGER)
  async verifyLedger(@Query() { tenant }: TenantQuery) {
    const named = await tenantNamed(this.database, tenant);
    const [verdict] = await this.database.query(VERIFIED, [named?.id ?? null]);
    return verdict;
  }
}
