import { unpackEntries } from './entry-lines.ts';
import type { ListAnswer, ListJob } from './list-jobs.ts';
import { faultsIn, indexOf, prepareList, refusalOf, sha256Of } from './prepare-list.ts';

/** Does a job; what goes wrong is an answer, too. */
export async function answerTo(job: ListJob): Promise<ListAnswer> {
  try {
    if (job.job === 'build') return { index: indexOf(job.list, await unpackEntries(Buffer.from(job.packedEntries))) };
    if (job.job === 'check') return { faults: await faultsIn(job) };
    const prepared = await prepareList(job);
    return prepared === undefined ? { unchanged: true } : { prepared };
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === undefined)
      return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    return { refused, sha256: job.job === 'prepare' ? await sha256Of(job.files) : undefined };
  }
}
