import { PeriodicTask } from '@constancia/kernel';
import { LeasedWork } from '@constancia/queue';
import { Logger } from '@constancia/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { SealingConfig } from '../config.ts';
import { EvidenceAddresses } from './evidence-addresses.ts';
import { EvidenceRun } from './evidence-run.ts';
import { EVIDENCE_LEASE_SECONDS, EvidenceTable, type EvidenceWork } from './evidence-table.ts';

const SWEEP_EVERY_MS = 30_000;
/** Documents that are extended at a time: few, since seals share the processes, the memory and the limit of KMS. */
const CONCURRENCY = 2;

/** Extends the documents whose evidence is due; each worker sweeps by its own clock. */
@Injectable()
export class EvidenceWorker implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly work: LeasedWork<EvidenceWork>;
  private readonly sweep: PeriodicTask;

  constructor(
    table: EvidenceTable,
    run: EvidenceRun,
    private readonly addresses: EvidenceAddresses,
    private readonly config: SealingConfig,
    logger: Logger,
  ) {
    const work = (one: EvidenceWork) => run.run(one);
    const leases = { store: table, leaseSeconds: EVIDENCE_LEASE_SECONDS, concurrency: CONCURRENCY };
    this.work = new LeasedWork({ ...leases, work, logger });
    const everyMs = SWEEP_EVERY_MS;
    this.sweep = new PeriodicTask({ name: 'evidence-sweep', everyMs, logger, run: () => this.wake() });
  }

  /** Claims what is due as far as there is room. */
  wake(): Promise<void> {
    return this.work.wake();
  }

  onApplicationBootstrap(): void {
    if (this.config.tsaUrl === undefined) return; // with EVIDENCE_LEVEL=B-T, documents that were sealed earlier are still extended and renewed
    this.sweep.start();
    this.sweep.wake();
  }

  onModuleDestroy(): void {
    this.work.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.close();
    await this.work.close();
    await this.addresses.close();
  }
}
