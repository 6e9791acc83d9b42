import { Database } from '@constancia/persistence';
import { Readiness } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';

/** The queue is no part of it: without it the sweep does the work. */
@Injectable()
export class DispatcherReadiness extends Readiness {
  constructor(private readonly database: Database) {
    super();
  }

  override readonly checks = { postgres: () => this.database.ping() };
}
