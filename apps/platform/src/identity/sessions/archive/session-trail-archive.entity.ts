import { ArchivedFile } from '@constancia/archives';
import { Entity } from 'typeorm';

/** A file with trails of sessions that ended long ago, which the database has no longer. */
@Entity({ schema: 'identity', name: 'session_trail_archive' })
export class SessionTrailArchive extends ArchivedFile {}
