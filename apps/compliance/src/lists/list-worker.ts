import { parentPort } from 'node:worker_threads';
import { answerTo } from './answer-list-job.ts';
import type { ListJob } from './list-jobs.ts';

/** The thread that reads and builds lists. One job, one answer. */
parentPort?.once('message', (job: ListJob) => {
  void answerTo(job).then((answer) => parentPort?.postMessage(answer));
});
