import { EmbedSessionRow } from '@constancia/embed-sessions';
import { Entity } from 'typeorm';

/** A row of identity.embed_session: a flow session shown in a frame of a tenant's page. */
@Entity({ schema: 'identity', name: 'embed_session' })
export class EmbedSession extends EmbedSessionRow {}

/** A row of identity.consent_embed_session: a request for a kept verification, answered in such a frame. */
@Entity({ schema: 'identity', name: 'consent_embed_session' })
export class ConsentEmbedSession extends EmbedSessionRow {}
