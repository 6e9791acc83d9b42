import { sleep } from '@constancia/kernel';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

/** Requests come one after the other: between two of them, too, there are some. */
const LATELY_MS = 100;
/** Milliseconds of work before the event loop serves requests, which take several turns each. */
const SLICE_MS = 1;
/** Milliseconds that requests are left alone between two slices, while there are any. */
const YIELD_MS = 2;

/** Whether anybody waits for an answer of this process: work that can wait leaves the processor to requests. */
@Injectable()
export class RequestsUnderWay {
  constructor(private readonly host: HttpAdapterHost) {}

  /** `own`: how many of them are the work that asks. */
  any(own = 0): boolean {
    return this.drain().inFlight.size > own;
  }

  /** For work in many small pieces that can wait: awaited after each, lets requests be served every millisecond. `own`: as of `any`. */
  slices(own: () => number = () => 0): () => Promise<void> {
    let since = performance.now();
    return async () => {
      if (performance.now() - since < SLICE_MS) return;
      await (this.any(own()) ? sleep(YIELD_MS) : new Promise((resolve) => setImmediate(resolve)));
      since = performance.now();
    };
  }

  /** There are some, or were a moment ago. */
  lately(): boolean {
    return this.any() || performance.now() - this.drain().lastOutAt < LATELY_MS;
  }

  private drain() {
    return this.host.httpAdapter.getInstance<FastifyInstance>().constancia.drain;
  }
}
