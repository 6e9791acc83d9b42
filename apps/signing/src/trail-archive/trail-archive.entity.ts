import { ArchivedFile } from '@constancia/archives';
import { Entity } from 'typeorm';

/** A file with trails of envelopes that ended long ago, which the database has no longer. */
@Entity({ schema: 'signing', name: 'trail_archive' })
export class TrailArchive extends ArchivedFile {}
