import fs from 'node:fs';

/** Seconds on a CPU so far, of all threads of a process. */
export function cpuSecondsOf(pid: number): number {
  const threads = fs.readdirSync(`/proc/${pid}/task`);
  // Nanoseconds on a CPU: the ticks of /proc/<pid>/stat miss short bursts.
  return threads
    .map((thread) => Number(fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9)
    .reduce((sum, each) => sum + each, 0);
}

/** CPU seconds of this process and of its PDF children. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const children = fs.readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ');
  const spent = children.map((pid) =>
    fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('pdf-child') ? cpuSecondsOf(Number(pid)) : 0,
  );
  return (user + system) / 1e6 + spent.reduce((sum, each) => sum + each, 0);
}

/** Runs of some work per second of CPU, this process and its children: other programs on the machine do not count. */
export async function perCpuSecond(work: () => Promise<unknown>): Promise<number> {
  const cpu = cpuSeconds();
  let runs = 0;
  for (const until = performance.now() + 2_000; performance.now() < until; runs++) await work();
  return runs / (cpuSeconds() - cpu);
}
