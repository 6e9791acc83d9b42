import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';

/** A part of the process that runs beside the requests, or holds connections. */
export interface BackgroundPart {
  start?(): Promise<void> | void;
  stop(): Promise<void> | void;
}

/** Starts the parts in order when the app has started, and stops them in reverse once it takes no more requests. */
export class Background implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(private readonly parts: BackgroundPart[]) {}

  async onApplicationBootstrap(): Promise<void> {
    for (const part of this.parts) await part.start?.();
  }

  async onApplicationShutdown(): Promise<void> {
    for (const part of [...this.parts].reverse()) await part.stop();
  }
}
