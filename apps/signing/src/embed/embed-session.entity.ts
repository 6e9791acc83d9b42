import { EmbedSessionRow } from '@constancia/embed-sessions';
import { Column, Entity } from 'typeorm';

/** A row of signing.embed_session: the page of one signer, shown in a frame of a tenant's page. */
@Entity({ schema: 'signing', name: 'embed_session' })
export class EmbedSession extends EmbedSessionRow {
  /** token_hash of the signer when the session was created: whatever ends that link ends the session. */
  @Column('bytea') link_hash: Buffer;
}
