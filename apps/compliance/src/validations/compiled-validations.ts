import { Database, type Tx } from '@constancia/persistence';
import { type CompiledValidation, compileValidation } from '@constancia/rule-graph';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { columnsOf, rulesHash, rulesOf } from './stored-rules.ts';
import type { ValidationRow } from './validation-view.ts';
import { findValidation, validationByUuid } from './validations.ts';

/** A rule set ready to run, and which one it is. */
export interface RunnableValidation {
  /** UUID. */
  id: string;
  code: string;
  version: number;
  status: ValidationRow['status'];
  rulesHash: Buffer;
  compiled: CompiledValidation;
}

const KEPT = 500;

/**
 * Rule sets as closures. What was published never changes again, so it is kept by its id; which one is published is asked of
 * the store with every screening, in the read that it needs anyway. Drafts are compiled each time.
 */
@Injectable()
export class CompiledValidations {
  private readonly kept = new LRUCache<string, RunnableValidation>({ max: KEPT });

  constructor(private readonly database: Database) {}

  /** The published, or once published, validation with this UUID. Throws when it is not the tenant's. */
  async byUuid(tenantId: string, uuid: string): Promise<RunnableValidation> {
    const known = this.known(tenantId, uuid);
    if (known) return known;
    return this.database.tenant(tenantId, async (tx) => {
      const row = await validationByUuid(tx, tenantId, uuid);
      if (!row) throw new Error(`no validation ${uuid}`);
      return this.compiled(tx, row);
    });
  }

  /** A validation of any status, by its TypeID. Throws NotFound. */
  byId(tenantId: string, id: string): Promise<RunnableValidation> {
    return this.database.tenant(tenantId, async (tx) => this.compiled(tx, await findValidation(tx, tenantId, id)));
  }

  /** The newest draft of a code; undefined when it has none. */
  newestDraft(tenantId: string, code: string): Promise<RunnableValidation | undefined> {
    return this.database.tenant(tenantId, async (tx) => {
      const [draft] = await tx.query<{ id: string }>(
        `select id from compliance.validation where tenant_id = $1 and code = $2 and status = 'draft' order by version desc limit 1`,
        [tenantId, code],
      );
      const row = draft && (await validationByUuid(tx, tenantId, draft.id));
      return row && this.compiled(tx, row);
    });
  }

  private known(tenantId: string, uuid: string): RunnableValidation | undefined {
    return this.kept.get(`${tenantId} ${uuid}`);
  }

  private async compiled(tx: Tx, row: ValidationRow): Promise<RunnableValidation> {
    const known = this.known(row.tenant_id, row.id);
    if (known) return { ...known, status: row.status };
    const rules = (await rulesOf(tx, row.tenant_id, row.id)).map(columnsOf);
    const { id, code, version, status } = row;
    const runnable = { id, code, version, status, rulesHash: rulesHash(rules), compiled: compileValidation(rules) };
    if (status !== 'draft') this.kept.set(`${row.tenant_id} ${id}`, runnable);
    return runnable;
  }
}
