/** Resolves after `ms` milliseconds, or at once when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** Whether the work ends within `ms`; false while it is still running. Throws what the work throws in that time. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const ended = new AbortController();
  try {
    return await Promise.race([work.then(() => true), sleep(ms, ended.signal).then(() => false)]);
  } finally {
    ended.abort();
  }
}
