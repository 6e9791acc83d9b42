import { EmbedSessionRow } from '@constancia/embed-sessions';
import { Entity } from 'typeorm';

/** A row of identity.embed_session: a flow session shown in a frame of a tenant's page. */
@Entity({ schema: 'identity', name: 'embed_session' })
export class EmbedSession extends EmbedSessionRow {}
