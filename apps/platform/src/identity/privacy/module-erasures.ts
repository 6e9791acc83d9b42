import {
  ERASING_MODULES,
  type ErasureRequest,
  type ErasureResultMessage,
  type ErasingModule,
  type ModuleErasure,
} from '@constancia/contracts';
import { PeriodicTask, type SecretBox, typeId } from '@constancia/kernel';
import type { Database, Tx } from '@constancia/persistence';
import type { Queues } from '@constancia/queue';
import type { Logger } from '@constancia/telemetry';
import { type ErasureReceipt, receiptById } from './erasure-receipt.ts';

const BATCH = 50;
const AT_ONCE = 4;
const EVERY_MS = 1_000;
/** How long an answer is waited for before the same request is sent again; later it is sent more seldom. */
const AGAIN_MS = 3_000;

type OtherModule = Exclude<ErasingModule, 'identity'>;
const OTHER_MODULES = ERASING_MODULES.filter((module): module is OtherModule => module !== 'identity');
const QUEUE_OF = { compliance: 'compliance-erasure', signing: 'signing-erasure' } as const;

export const erasureRequestContext = (receiptId: string, module: string): string =>
  `erasure_module:${receiptId}:${module}`;

interface ModuleRow {
  receipt_id: string;
  module: OtherModule;
  tenant_id: string;
}

export interface ModuleErasureParts {
  database: Database;
  queues: Pick<Queues, 'consume' | 'hint' | 'open' | 'seal'>;
  secrets: SecretBox;
  logger: Logger;
}

/**
 * The part of an erasure that other modules carry out. What each is asked stands in the store until it answers that it is done; the
 * queue may lose messages, and a module may be unavailable for as long as it likes. Every platform process asks; the store's function
 * gives each request to one of them.
 */
export class ModuleErasures {
  private readonly task: PeriodicTask;

  constructor(private readonly parts: ModuleErasureParts) {
    const { logger } = parts;
    this.task = new PeriodicTask({ name: 'module-erasures', everyMs: EVERY_MS, logger, run: () => this.ask() });
  }

  start(): void {
    this.parts.queues.consume('erasure-result', (message) => this.learn(message), { concurrency: AT_ONCE });
    this.task.start();
  }

  /** The queue drains its consumers itself. */
  close(): Promise<void> {
    return this.task.close();
  }

  /** Writes down what every other module is asked, in the caller's transaction. */
  async begin(tx: Tx, tenantId: string, receiptId: string, request: ErasureRequest): Promise<void> {
    for (const module of OTHER_MODULES) {
      const sealed = this.parts.secrets.seal(JSON.stringify(request), erasureRequestContext(receiptId, module));
      await tx.query(
        `insert into identity.erasure_module (receipt_id, module, tenant_id, sealed_request) values ($1, $2, $3, $4)
         on conflict do nothing`,
        [receiptId, module, tenantId, sealed],
      );
    }
  }

  /** What the other modules have said about a receipt. */
  async of(tx: Tx, tenantId: string, receiptId: string): Promise<ModuleErasure[]> {
    const rows = await tx.query<{ module: OtherModule; status: 'pending' | 'done'; result: ModuleErasure | null }>(
      `select module, status, result from identity.erasure_module where tenant_id = $1 and receipt_id = $2 order by module`,
      [tenantId, receiptId],
    );
    return rows.map(({ module, status, result }) => ({ ...(result ?? NOTHING_YET), module, status }));
  }

  /** There is something new to ask. Does not make the caller wait. */
  askSoon(): void {
    this.task.wake();
  }

  /** Asks what is due now. Never throws: the next round tries again. */
  async ask(): Promise<void> {
    try {
      await this.beginUnasked();
      const due = await this.parts.database.query<ModuleRow & { sealed_request: Buffer }>(
        'select * from identity.erasures_to_ask($1, $2)',
        [BATCH, AGAIN_MS],
      );
      for (const row of due) this.send(row);
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'other modules could not be asked to erase');
    }
  }

  /** Erasures of a release that asked no other module: they are asked now, by the reference that is left. */
  private async beginUnasked(): Promise<void> {
    const { database } = this.parts;
    const unasked = await database.query<{ receipt_id: string; tenant_id: string }>(
      'select * from identity.erasures_unasked($1)',
      [BATCH],
    );
    for (const { receipt_id, tenant_id } of unasked) {
      await database.tenant(tenant_id, async (tx) => {
        const receipt = await receiptById(tx, tenant_id, receipt_id);
        await this.begin(tx, tenant_id, receipt_id, requestOfReceipt(receipt, 'system'));
      });
    }
  }

  private send({ receipt_id, module, tenant_id, sealed_request }: ModuleRow & { sealed_request: Buffer }): void {
    const { queues, secrets } = this.parts;
    const opened = secrets.open(sealed_request, erasureRequestContext(receipt_id, module)).toString('utf8');
    const sealed = queues.seal(JSON.parse(opened) as ErasureRequest);
    queues.hint(QUEUE_OF[module], { v: 1, id: receipt_id, tenant_id, sealed }, receipt_id);
  }

  /** An answer may come twice or late: a module that is done stays done. */
  private async learn({ id, tenant_id, sealed }: ErasureResultMessage): Promise<void> {
    const { database, queues } = this.parts;
    const result = queues.open(sealed) as ModuleErasure;
    await database.tenant(tenant_id, (tx) =>
      tx.query(
        `update identity.erasure_module
            set status = $4, result = $5, done_at = case when $4 = 'done' then now() end,
                sealed_request = case when $4 = 'done' then null else sealed_request end
          where tenant_id = $1 and receipt_id = $2 and module = $3 and status = 'pending'`,
        [tenant_id, id, result.module, result.status, JSON.stringify(result)],
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
