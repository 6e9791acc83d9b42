import { ERASING_MODULES, type ErasureRequest, type ErasingModule, type ModuleErasure } from '@constancia/contracts';
import { IndependentWork, SecretBox, typeId } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { ErasureModule } from './erasure-module.entity.ts';
import type { ErasureReceipt } from './erasure-receipt.entity.ts';
import { receiptById } from './erasure-receipt.ts';

const BATCH = 50;
const EVERY_MS = 1_000;
/** How long an answer is waited for before the same request is sent again; later it is sent more seldom. */
const AGAIN_MS = 3_000;

type OtherModule = Exclude<ErasingModule, 'identity'>;
const OTHER_MODULES = ERASING_MODULES.filter((module): module is OtherModule => module !== 'identity');
const QUEUE_OF = { compliance: 'compliance-erasure', signing: 'signing-erasure' } as const;

export const erasureRequestContext = (receiptId: string, module: string): string =>
  `erasure_module:${receiptId}:${module}`;

type Due = Pick<ErasureModule, 'receipt_id' | 'module' | 'tenant_id'> & { sealed_request: Buffer };

/**
 * The part of an erasure that other modules carry out. What each is asked stands in the store until it answers that it is done; the
 * queue may lose messages, and a module may be unavailable for as long as it likes. Every platform process asks; the store's function
 * gives each request to one of them.
 */
@Injectable()
export class ModuleErasures extends PeriodicWork {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly queues: Queues,
    private readonly secrets: SecretBox,
    logger: Logger,
  ) {
    super({ name: 'module-erasures', everyMs: EVERY_MS, logger });
  }

  /** Writes down what every other module is asked, in the caller's transaction. */
  async begin(tx: Tx, tenantId: string, receiptId: string, request: ErasureRequest): Promise<void> {
    for (const module of OTHER_MODULES) {
      const sealed = this.secrets.seal(JSON.stringify(request), erasureRequestContext(receiptId, module));
      await tx.query(
        `insert into identity.erasure_module (receipt_id, module, tenant_id, sealed_request) values ($1, $2, $3, $4)
         on conflict do nothing`,
        [receiptId, module, tenantId, sealed],
      );
    }
  }

  /** What the other modules have said about a receipt. */
  async of(tx: Tx, tenantId: string, receiptId: string): Promise<ModuleErasure[]> {
    const where = { tenant_id: tenantId, receipt_id: receiptId };
    const rows = await tx.manager.find(ErasureModule, { where, order: { module: 'ASC' } });
    return rows.map(({ module, status, result }) => ({ ...(result ?? NOTHING_YET), module, status }));
  }

  override async run(): Promise<void> {
    const work = new IndependentWork();
    await work.attempt(() => this.beginUnasked(work));
    const due = await this.database.query<Due>('select * from identity.erasures_to_ask($1, $2)', [BATCH, AGAIN_MS]);
    for (const row of due) await work.attempt(() => this.send(row), { receipt_id: row.receipt_id, module: row.module });
    work.throwFirstFailure();
  }

  /** Erasures of a release that asked no other module: they are asked now, by the reference that is left. */
  private async beginUnasked(work: IndependentWork): Promise<void> {
    const unasked = await this.database.query<{ receipt_id: string; tenant_id: string }>(
      'select * from identity.erasures_unasked($1)',
      [BATCH],
    );
    for (const { receipt_id, tenant_id } of unasked) {
      const begin = async (tx: Tx) => {
        const receipt = await receiptById(tx, tenant_id, receipt_id);
        await this.begin(tx, tenant_id, receipt_id, requestOfReceipt(receipt, 'system'));
      };
      await work.attempt(() => this.database.tenant(tenant_id, begin), { receipt_id, tenant_id });
    }
  }

  private send({ receipt_id, module, tenant_id, sealed_request }: Due): void {
    const opened = this.secrets.open(sealed_request, erasureRequestContext(receipt_id, module)).toString('utf8');
    const sealed = this.queues.seal(JSON.parse(opened) as ErasureRequest);
    this.queues.hint(QUEUE_OF[module], { v: 1, id: receipt_id, tenant_id, sealed }, receipt_id);
  }

  /** An answer may come twice or late: a module that is done stays done. */
  async recordResult(tenantId: string, receiptId: string, result: ModuleErasure): Promise<void> {
    await this.database.tenant(tenantId, (tx) =>
      tx.query(
        `update identity.erasure_module
            set status = $4, result = $5, done_at = case when $4 = 'done' then now() end,
                sealed_request = case when $4 = 'done' then null else sealed_request end
          where tenant_id = $1 and receipt_id = $2 and module = $3 and status = 'pending'`,
        [tenantId, receiptId, result.module, result.status, JSON.stringify(result)],
      ),
    );
  }
}

const NOTHING_YET = { erased: [], kept: [], legal_basis: null, kept_until: null };

/** What can be asked about a subject that is erased already: its external references are gone. */
export function requestOfReceipt(receipt: ErasureReceipt, actor: string): ErasureRequest {
  return {
    subject_refs: [typeId('sub', receipt.subject_id)],
    email: null,
    actor,
    relationship_ended_at: receipt.erased_at.toISOString(),
  };
}
