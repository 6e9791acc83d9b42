import { ArchivedChain } from '@constancia/archives';
import { Entity, PrimaryColumn } from 'typeorm';

/** Where the timeline of a case is, and its head there. */
@Entity({ schema: 'compliance', name: 'archived_timeline' })
export class ArchivedTimeline extends ArchivedChain {
  @PrimaryColumn('uuid') case_id: string;
}
