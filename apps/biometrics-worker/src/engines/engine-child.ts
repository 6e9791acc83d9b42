/**
 * A child of ChildEngines: looks at untrusted pictures and nothing else. It has no environment, no addresses and no keys; jobs and
 * answers pass through descriptor 3. Models are loaded once, before the first job.
 */
import { serveParent } from '@constancia/child-process';
import { workOn } from './engine-job.ts';
import type { EngineJob } from './engine-job.ts';
import { localEngines } from './local-engines.ts';

const engines = await localEngines();

serveParent({ answer: 'ready' }, async ({ head, bytes }) => {
  const { sizes, ...job } = head as EngineJob & { sizes: number[] };
  let at = 0;
  const pictures = sizes.map((size) => bytes.subarray(at, (at += size)));
  return { head: await workOn(job, pictures, engines) };
});
