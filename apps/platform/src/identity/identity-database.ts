import { Database } from '@constancia/persistence';

/** The store of the schema identity. `Database` is that of the schema platform. */
export class IdentityDatabase extends Database {}
