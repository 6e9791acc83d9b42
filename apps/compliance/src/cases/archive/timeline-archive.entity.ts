import { ArchivedFile } from '@constancia/archives';
import { Entity } from 'typeorm';

/** A file with timelines of cases that were resolved long ago, which the database has no longer. */
@Entity({ schema: 'compliance', name: 'timeline_archive' })
export class TimelineArchive extends ArchivedFile {}
