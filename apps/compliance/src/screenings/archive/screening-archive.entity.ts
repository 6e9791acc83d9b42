import { ArchivedFile } from '@constancia/archives';
import { Entity } from 'typeorm';

/** A file with old screenings of a tenant, in the order in which they were made. */
@Entity({ schema: 'compliance', name: 'screening_archive' })
export class ScreeningArchive extends ArchivedFile {}
