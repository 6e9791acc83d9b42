import { ArchivedChain } from '@constancia/archives';
import { Entity, PrimaryColumn } from 'typeorm';

/** Where the trail of a session is, and its head there. */
@Entity({ schema: 'identity', name: 'archived_session_trail' })
export class ArchivedSessionTrail extends ArchivedChain {
  @PrimaryColumn('uuid') session_id: string;
}
