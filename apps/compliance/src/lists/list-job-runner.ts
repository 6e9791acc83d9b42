import { Worker } from 'node:worker_threads';
import { childProgram } from '@constancia/child-process';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { answerTo } from './answer-list-job.ts';
import type { BuildJob, CheckJob, ListAnswer, ListJob, PreparedList, PrepareJob } from './list-jobs.ts';
import { FilesRefused, type Refusal } from './list-refused.ts';

/** No list that is known comes near it; a file that is a bomb ends here. */
const MEMORY_MB = 3_072;
const DEADLINE_MS = 10 * 60_000;
/** A list of fewer bytes is not worth a thread, which takes longer to start than to do its work. */
const SMALL_BYTES = 16 * 1024;

/** Reads and builds lists in the thread that asks for it: for a program that has nothing else to do. */
export class ListJobRunner {
  /** Throws FilesRefused; undefined: the active version is this very file. */
  async prepare(job: Omit<PrepareJob, 'job'>): Promise<PreparedList | undefined> {
    const answer = await this.run({ job: 'prepare', ...job });
    if ('prepared' in answer) return answer.prepared;
    if ('unchanged' in answer) return undefined;
    throw unexpected(answer);
  }

  /** The serialised index of stored entries. */
  async build(job: Omit<BuildJob, 'job'>): Promise<Buffer> {
    const answer = await this.run({ job: 'build', ...job });
    if ('index' in answer) return Buffer.from(answer.index);
    throw unexpected(answer);
  }

  /** What is wrong with the rows of a plain CSV. */
  async check(job: Omit<CheckJob, 'job'>): Promise<Refusal[]> {
    const answer = await this.run({ job: 'check', ...job });
    if ('faults' in answer) return answer.faults;
    throw unexpected(answer);
  }

  protected run(job: ListJob): Promise<ListAnswer> {
    return answerTo(job);
  }
}

/**
 * The same in a thread of its own, so that a file of 100 MB delays no request and does not fill the heap of the process. A thread
 * lives for one job and gives its memory back.
 */
@Injectable()
export class ListJobThreads extends ListJobRunner implements OnApplicationShutdown {
  private readonly running = new Set<Worker>();

  /** Ends what runs: nothing of it was stored. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.running].map((worker) => worker.terminate()));
  }

  protected override async run(job: ListJob): Promise<ListAnswer> {
    if (isSmall(job)) return super.run(job);
    const worker = new Worker(await childProgram(import.meta.url, 'list-worker'), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    this.running.add(worker);
    const late = setTimeout(() => void worker.terminate(), DEADLINE_MS);
    try {
      return await new Promise<ListAnswer>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', (error) => reject(memoryRefusal(error)));
        worker.once('exit', () => reject(new Error('the thread that reads lists ended before it was done')));
        worker.postMessage(job);
      });
    } finally {
      clearTimeout(late);
      this.running.delete(worker);
      await worker.terminate();
    }
  }
}

/** Done within milliseconds: the sandbox's lists, and what most tenants keep. */
function isSmall(job: ListJob): boolean {
  if (job.job === 'build') return job.packedEntries.length < SMALL_BYTES / 4;
  const given = job.files.reduce((sum, file) => sum + ('bytes' in file ? file.bytes.length : Infinity), 0);
  if (job.job === 'check') return given < SMALL_BYTES;
  return given < SMALL_BYTES && (job.before?.packedEntries.length ?? 0) < SMALL_BYTES / 4;
}

function memoryRefusal(error: unknown): unknown {
  if ((error as { code?: string }).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new FilesRefused(
    { code: 'too_large', detail: `Reading the list takes more than ${MEMORY_MB} MB of memory.` },
    undefined,
  );
}

function unexpected(answer: ListAnswer): Error {
  if ('refused' in answer) return new FilesRefused(answer.refused, answer.sha256);
  return new Error('failed' in answer ? answer.failed : 'the thread that reads lists answered something else');
}
