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
  grow: () => void held.push(Buffer.alloc(210 * 1024 * 1024, 1)),
  devour: () => {
    for (;;) held.push(Buffer.alloc(16 * 1024 * 1024, 1));
  },
  litter: () => {
    for (const objects: object[] = []; ;) objects.push({ at: objects.length });
  },
};

serveParent('ready', async ({ head }) => {
  DOINGS[head as string]?.();
  if (head === 'slow') await new Promise((resolve) => setTimeout(resolve, 300));
  return { head: process.pid };
});
