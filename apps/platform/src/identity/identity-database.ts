import type { Database } from '@constancia/persistence';

/** The identity schema's store, under a name of its own: `Database` is the platform's. */
export class IdentityDatabase {
  constructor(readonly database: Database) {}
}
