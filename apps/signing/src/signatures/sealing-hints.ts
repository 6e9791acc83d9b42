import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';

/** Tells the sealing worker that a request waits. A hint may be lost: the worker's sweep finds the request within 3 s. */
@Injectable()
export class SealingHints {
  constructor(private readonly queues: Queues) {}

  /** @param requestId UUID of a committed signature request */
  hint(requestId: string): void {
    this.queues.hint('sealing', { v: 1, request_id: requestId }, requestId);
  }
}
