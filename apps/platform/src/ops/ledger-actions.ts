import type { Database } from '@constancia/persistence';
import { type OpsAction, type OpsAnswer, OpsFields, type OpsRequest } from '@constancia/telemetry';
import { tenantIn } from './named-tenant.ts';

/** Whether the credit ledger adds up. */
export class LedgerActions {
  constructor(private readonly database: Database) {}

  get actions(): OpsAction[] {
    return [
      {
        method: 'GET',
        path: /^\/ops\/ledger\/verify$/,
        about: 'every balance against its entries and holds, of one tenant or of all',
        handle: (request) => this.verify(request),
      },
    ];
  }

  private async verify({ query }: OpsRequest): Promise<OpsAnswer> {
    const tenant = await tenantIn(this.database, OpsFields.ofQuery(query, ['tenant']));
    const [body] = await this.database.query('select * from platform.ops_verify_ledger($1)', [tenant?.id ?? null]);
    return { status: 200, body };
  }
}
