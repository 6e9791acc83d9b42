import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

/** Whether anybody waits for an answer of this process: work that can wait leaves the processor to requests. */
@Injectable()
export class RequestsUnderWay {
  constructor(private readonly host: HttpAdapterHost) {}

  any(): boolean {
    const { constancia } = this.host.httpAdapter.getInstance<FastifyInstance>();
    return constancia.drain.inFlight.size > 0;
  }
}
