import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { childProgram, type ListCode } from '@constancia/kernel';
import type { ConcernedSubject, ConcernMessage, ConcernReply } from './concern-jobs.ts';

const PROGRAM = {
  name: 'concern-worker',
  entry: 'apps/compliance/src/monitoring/concern-worker.ts',
  sources: [
    'apps/compliance/src/monitoring',
    'apps/compliance/src/lists',
    'apps/compliance/src/screenings',
    'libs/name-screening/src',
    'libs/kernel/src',
  ],
};

/**
 * Finds out whom a change of a list concerns, in a thread of its own: 100,000 names are compared while the process goes on
 * answering. One change, any number of batches; close it in the end.
 */
export class ConcernSearch {
  private constructor(private readonly worker: Worker) {}

  static async of(list: ListCode, packedChanges: readonly Uint8Array[]): Promise<ConcernSearch> {
    const search = new ConcernSearch(new Worker(await childProgram(import.meta.url, PROGRAM)));
    await search.ask({ list, packedChanges });
    return search;
  }

  /** `subjects`: JSON text, as nextSubjects reads it. */
  async concerned(subjects: string): Promise<ConcernedSubject[]> {
    const reply = await this.ask({ subjects });
    return 'concerned' in reply ? reply.concerned : [];
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private async ask(message: ConcernMessage): Promise<ConcernReply> {
    const ended = new AbortController();
    this.worker.postMessage(message);
    try {
      const reply = await Promise.race([
        once(this.worker, 'message', { signal: ended.signal }).then(([answer]) => answer as ConcernReply),
        once(this.worker, 'exit', { signal: ended.signal }).then((): ConcernReply => ({ failed: 'it ended early' })),
      ]);
      if ('failed' in reply) throw new Error(`the thread that compares subjects failed: ${reply.failed}`);
      return reply;
    } finally {
      ended.abort();
    }
  }
}
