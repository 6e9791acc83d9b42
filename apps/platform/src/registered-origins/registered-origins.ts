import { AuditLog, changedValues } from '@constancia/auth';
import type { AuditAction, Environment } from '@constancia/contracts';
import { type GivenOrigin, isExactOrigin, type Principal, requireRegistered } from '@constancia/http';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import type { Database } from '@constancia/persistence';
import type { OriginsRow } from './origins-row.ts';

/** What distinguishes one list of origins from another. */
interface Purpose {
  row: new () => OriginsRow;
  /** What the audit log calls the list and its replacement. */
  object: string;
  action: AuditAction;
  /** The operation that registers them, for problems. */
  registeredBy: string;
}

/** Origins that a tenant has registered for one purpose. */
export abstract class RegisteredOrigins {
  protected constructor(
    private readonly environment: Environment,
    private readonly database: Database,
    private readonly purpose: Purpose,
  ) {}

  list(tenantId: string): Promise<string[]> {
    return this.database.tenant(tenantId, async (tx) => {
      const row = await tx.manager.findOneBy(this.purpose.row, { tenant_id: tenantId });
      return row?.origins ?? [];
    });
  }

  /** Replaces them. Throws ValidationError for what is no origin of https (or of this machine, in a sandbox). */
  async put(principal: Principal, origins: readonly string[], origin: string): Promise<string[]> {
    const errors = origins.flatMap((text, index): FieldError[] =>
      isExactOrigin(text, { sandbox: this.isSandbox })
        ? []
        : [{ pointer: `/origins/${index}`, code: 'wrong_format', detail: this.rule() }],
    );
    if (errors.length > 0) throw new ValidationError(errors);
    const { row, object: kind, action } = this.purpose;
    const unique = [...new Set(origins)];
    const tenantId = principal.tenant.id;
    await this.database.tenant(tenantId, async (tx) => {
      const former = await tx.manager.findOneBy(row, { tenant_id: tenantId });
      await tx.manager
        .createQueryBuilder()
        .insert()
        .into(row)
        .values({ tenant_id: tenantId, origins: unique, updated_at: () => 'now()' })
        .orUpdate(['origins', 'updated_at'], ['tenant_id'])
        .execute();
      const values = changedValues({ origins: former?.origins ?? [] }, { origins: unique });
      await AuditLog.record(tx, { principal, action, object: { kind, id: null }, ...values, origin });
    });
    return unique;
  }

  /** Throws ValidationError, at the pointer of each, unless all are registered. */
  async require(tenantId: string, given: readonly GivenOrigin[]): Promise<void> {
    const { registeredBy } = this.purpose;
    requireRegistered(given, { registered: await this.list(tenantId), sandbox: this.isSandbox, registeredBy });
  }

  private get isSandbox(): boolean {
    return this.environment === 'sandbox';
  }

  private rule(): string {
    const also = this.isSandbox ? ', or http://localhost with a port' : '';
    return `Give an origin as https://name, without a path${also}.`;
  }
}
