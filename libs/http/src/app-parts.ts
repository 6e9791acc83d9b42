import { closeAll } from '@constancia/kernel';

/** What an app holds open: connections, processes. */
export interface Opened {
  close(): Promise<unknown>;
}

/** What runs in an app beside its requests. */
export interface Background extends Opened {
  start(): Promise<void> | void;
}

export interface AppParts {
  /** In the order in which they were opened. */
  opened?: Opened[];
  background?: Background[];
}

/** The part of Fastify that is used here. */
interface Lifecycle {
  addHook(name: 'onReady' | 'onClose', hook: () => Promise<void>): unknown;
}

/** Starts the background in order before the first request; once the server accepts no more requests, closes all of it in reverse, also after a failure. */
export function registerLifecycle(server: Lifecycle, { opened = [], background = [] }: AppParts): void {
  server.addHook('onReady', async () => {
    for (const part of background) await part.start();
  });
  const parts = [...opened, ...background].reverse();
  server.addHook('onClose', () => closeAll(parts.map((part) => () => part.close())));
}
