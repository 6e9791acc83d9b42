import { SUBJECT_ERASED } from '@constancia/contracts';
import { CachedDataKeys, DataKeys } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

/** The data keys of subjects, forgotten when a subject is erased. */
@Injectable()
export class SubjectKeys extends CachedDataKeys implements OnModuleInit, OnApplicationShutdown {
  private erasures: { close(): Promise<void> } | undefined;

  constructor(
    dataKeys: DataKeys,
    private readonly database: Database,
  ) {
    super(dataKeys);
  }

  async onModuleInit(): Promise<void> {
    this.erasures = await this.database.listen(SUBJECT_ERASED, (subjectId) => this.forget(subjectId));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.erasures?.close();
    this.clear();
  }
}
