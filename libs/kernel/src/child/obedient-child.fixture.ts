/** A child that does what the head of a question says, for the tests of its parent. */
import { serveParent } from './serve-parent.ts';

const held: Buffer[] = [];

const DOINGS: Record<string, () => void> = {
  exit: () => process.exit(3),
  abort: () => process.abort(),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  hang: () => {
    for (;;);
  },
  grow: () => void held.push(Buffer.alloc(180 * 1024 * 1024, 1)),
};

serveParent('ready', async ({ head }) => {
  DOINGS[head as string]?.();
  if (head === 'slow') await new Promise((resolve) => setTimeout(resolve, 300));
  return { head: process.pid };
});
