import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { childProgram } from '@constancia/child-process';
import type { ListCode } from '@constancia/reference-data';
import type { TenantKeyMaterial } from '@constancia/personal-data/keyring';
import type { ConcernedSubject, ConcernMessage, ConcernReply, PackedBatch } from './concern-jobs.ts';

const MOST_THREADS = 4;

/**
 * Finds out whom a change of a list concerns, in threads of its own: 100,000 names are compared while the process goes on
 * answering. One change after the other, each with any number of batches, as many at a time as there are threads. The threads wait for the
 * next change, which finds their code compiled and common words known; close it when there is none.
 */
export class ConcernSearch {
  private threads: ConcernThread[] = [];

  /** What the next batches are compared with. `keys`: of the tenant whose subjects they are. Ends the threads when it fails. */
  async begin(list: ListCode, packedChanges: readonly Uint8Array[], keys: TenantKeyMaterial): Promise<void> {
    try {
      if (this.threads.length === 0) await this.open();
      await Promise.all(this.threads.map((thread) => thread.ask({ list, packedChanges, keys })));
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** How many batches are compared at a time. */
  get atOnce(): number {
    return this.threads.length;
  }

  /** Whom of a batch the change concerns. Ends the threads when it fails. */
  async concerned(batch: PackedBatch): Promise<ConcernedSubject[]> {
    const [thread] = [...this.threads].sort((a, b) => a.waiting - b.waiting);
    if (!thread) throw new Error('subjects came before the change that may concern them');
    try {
      const reply = await thread.ask(batch);
      return 'concerned' in reply ? reply.concerned : [];
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const ended = this.threads;
    this.threads = [];
    await Promise.all(ended.map((thread) => thread.end()));
  }

  private async open(): Promise<void> {
    const file = await childProgram(import.meta.url, 'concern-worker');
    const count = Math.min(availableParallelism(), MOST_THREADS);
    this.threads = Array.from({ length: count }, () => new ConcernThread(file));
  }
}

/** One thread; it answers in the order in which it is asked. */
class ConcernThread {
  waiting = 0;
  private readonly worker: Worker;
  private last: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.worker = new Worker(file);
    this.worker.on('error', () => undefined); // who waits for an answer learns of it
  }

  ask(message: ConcernMessage): Promise<ConcernReply> {
    this.waiting += 1;
    const asked = this.last.then(() => this.reply(message)).finally(() => (this.waiting -= 1));
    this.last = asked.catch(() => undefined);
    return asked;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private async reply(message: ConcernMessage): Promise<ConcernReply> {
    const over = new AbortController();
    try {
      const answered = once(this.worker, 'message', { signal: over.signal });
      const ended = once(this.worker, 'exit', { signal: over.signal });
      this.worker.postMessage(message);
      const reply = await Promise.race([
        answered.then(([answer]) => answer as ConcernReply),
        ended.then((): ConcernReply => ({ failed: 'it ended early' })),
      ]);
      if ('failed' in reply) throw new Error(`the thread that compares subjects failed: ${reply.failed}`);
      return reply;
    } finally {
      over.abort();
    }
  }
}
