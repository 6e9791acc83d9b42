import type { SignerIdentityRequest } from '@constancia/contracts';
import { IndependentWork } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import type { IdentityCheck } from './identity-check.entity.ts';
import { IdentityChecks } from './identity-checks.ts';

const EVERY_MS = 2_000;
const AT_ONCE = 50;

type Asked = Pick<IdentityCheck, 'tenant_id' | 'signer_id' | 'id' | 'request_sealed'>;

/**
 * Asks the identity module about every check that is under way, again until it is settled: a message may be lost, and so may its answer.
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
    const due = await this.database.query<Asked>('select * from signing.identity_checks_to_ask($1)', [AT_ONCE]);
    const work = new IndependentWork();
    for (const check of due) {
      await work.attempt(() => Promise.resolve(this.ask(check)), { signer_id: check.signer_id });
    }
    work.throwFirstFailure();
  }

  /** May be lost: the sweep asks again. */
  ask({ tenant_id, signer_id, id, request_sealed }: Asked): void {
    const request: SignerIdentityRequest = request_sealed
      ? this.checks.openRequest(signer_id, request_sealed)
      : { open: null };
    this.queues.hint('signer-identity', { v: 1, id, tenant_id, sealed: this.queues.seal(request) }, id);
  }
}
