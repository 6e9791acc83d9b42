import type { ModuleErasure } from '@constancia/contracts';
import { type HintJob, Processor, Queues, WorkerHost } from '@constancia/queue';
import { ModuleErasures } from './module-erasures.ts';

/** What the other modules answer about erasures. */
@Processor('erasure-result', { concurrency: 4 })
export class ErasureResultProcessor extends WorkerHost {
  constructor(
    private readonly modules: ModuleErasures,
    private readonly queues: Queues,
  ) {
    super();
  }

  override process({ data: { id, tenant_id, sealed } }: HintJob<'erasure-result'>): Promise<void> {
    return this.modules.recordResult(tenant_id, id, this.queues.open(sealed) as ModuleErasure);
  }
}
