import { Database } from '@constancia/persistence';
import { ObjectStore } from '@constancia/storage';
import { Readiness } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';

/** The queue is no part of it: without it the worker goes by its own clock. */
@Injectable()
export class SealingReadiness extends Readiness {
  constructor(
    private readonly database: Database,
    private readonly objects: ObjectStore,
  ) {
    super();
  }

  override readonly checks = { database: () => this.database.ping(), storage: () => this.objects.ping() };
}
