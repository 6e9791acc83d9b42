/** An engine's child for which a picture is a text that says what happens to the decoder. */
import { serveParent } from '@constancia/child-process';

const held: Buffer[] = [];

/** Until it is killed. */
const DOINGS: Record<string, () => void> = {
  abort: () => process.abort(),
  exit: () => process.exit(3),
  kill: () => process.kill(process.pid, 'SIGSEGV'),
  hang: () => {
    for (;;);
  },
  devour: () => {
    for (;;) held.push(Buffer.alloc(16 * 1024 * 1024, 1));
  },
};

serveParent({ answer: 'ready' }, async ({ bytes }) => {
  DOINGS[bytes.toString()]?.();
  const reading = {
    outcome: 'retry',
    reasons: ['blurred'],
    kind: null,
    fields: {},
    nameTrusted: false,
    checkDigits: {},
    quality: [],
    engine: 'hostile',
    modelVersion: '1',
    tookMs: 1,
  };
  await new Promise((resolve) => setTimeout(resolve, bytes.toString() === 'slow' ? 3_000 : 1));
  return { head: { job: 'document', reading } };
});
