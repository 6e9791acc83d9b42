import type { SignerIdentityRequest } from '@constancia/contracts';
import { IndependentWork } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IsNull, LessThan } from 'typeorm';
import { IdentityCheck } from './identity-check.entity.ts';
import { IdentityChecks } from './identity-checks.ts';

const EVERY_MS = 2_000;
const AT_ONCE = 50;
/** Asking about a check more often tells nothing new. */
const ASK_AFTER_MS = 2_000;

type Asked = Pick<IdentityCheck, 'tenant_id' | 'signer_id' | 'id' | 'request_sealed'>;
type Ended = Pick<IdentityCheck, 'tenant_id' | 'id'>;

/**
 * Asks the identity module about every check that is under way, again until it is settled, and tells it of those that ended before: a
 * message may be lost, and so may its answer.
 * Every process does it, and the store gives each check to one of them.
 */
@Injectable()
export class IdentityRequests extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly checks: IdentityChecks,
    private readonly queues: Queues,
    logger: Logger,
  ) {
    super({ name: 'identity-requests', everyMs: EVERY_MS, logger });
  }

  override async run(): Promise<void> {
    const { database } = this;
    const work = new IndependentWork();
    for (const check of await database.query<Asked>('select * from signing.identity_checks_to_ask($1)', [AT_ONCE])) {
      await work.attempt(() => Promise.resolve(this.ask(check)), { signer_id: check.signer_id });
    }
    const ended = await database.query<Ended>('select * from signing.identity_checks_to_cancel($1)', [AT_ONCE]);
    for (const check of ended) this.send(check, { open: null, cancel: true }, `${check.id}-cancel`);
    work.throwFirstFailure();
  }

  /** Asks about a check, unless somebody asked a moment ago or it is settled. */
  async askAgain(check: IdentityCheck): Promise<void> {
    const { tenant_id, id } = check;
    const due = { tenant_id, id, settled_at: IsNull(), asked_at: LessThan(new Date(Date.now() - ASK_AFTER_MS)) };
    const { affected } = await this.database.tenant(tenant_id, (tx) =>
      tx.manager.update(IdentityCheck, due, { asked_at: new Date() }),
    );
    if (affected === 1) this.ask(check);
  }

  /** May be lost: the sweep asks again. */
  ask(check: Asked): void {
    const { signer_id, id, request_sealed } = check;
    const open = request_sealed ? this.checks.openRequest(signer_id, request_sealed) : { open: null };
    this.send(check, open, id);
  }

  /** Messages with the same `dedupe` are sent once while they wait: a cancellation is not lost behind a question. */
  private send({ tenant_id, id }: Ended, request: SignerIdentityRequest, dedupe: string): void {
    this.queues.hint('signer-identity', { v: 1, id, tenant_id, sealed: this.queues.seal(request) }, dedupe);
  }
}
