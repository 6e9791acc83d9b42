import { parentPort } from 'node:worker_threads';
import { unpackEntries } from './entry-lines.ts';
import type { ListAnswer, ListJob } from './list-jobs.ts';
import { indexOf, prepareList, refusalOf, sha256Of } from './prepare-list.ts';

/** The thread that reads and builds lists. One job, one answer. */
async function answerTo(job: ListJob): Promise<ListAnswer> {
  try {
    if (job.job === 'build') return { index: indexOf(job.list, await unpackEntries(Buffer.from(job.packedEntries))) };
    const prepared = await prepareList(job);
    return prepared === undefined ? { unchanged: true } : { prepared };
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === undefined)
      return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    return { refused, sha256: job.job === 'prepare' ? await sha256Of(job.files) : undefined };
  }
}

parentPort?.once('message', (job: ListJob) => {
  void answerTo(job).then((answer) => parentPort?.postMessage(answer));
});
