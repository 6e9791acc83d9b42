import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

/** Requests come one after the other: between two of them, too, there are some. */
const LATELY_MS = 100;

/** Whether anybody waits for an answer of this process: work that can wait leaves the processor to requests. */
@Injectable()
export class RequestsUnderWay {
  constructor(private readonly host: HttpAdapterHost) {}

  any(): boolean {
    return this.drain().inFlight.size > 0;
  }

  /** There are some, or were a moment ago. */
  lately(): boolean {
    return this.any() || performance.now() - this.drain().lastOutAt < LATELY_MS;
  }

  private drain() {
    return this.host.httpAdapter.getInstance<FastifyInstance>().constancia.drain;
  }
}
