import { accessToken, type EmbedBearer, EmbedTokens, type ResolvedEmbed } from '@constancia/embed-sessions';
import type { PathRequest } from '@constancia/http';
import { Injectable } from '@nestjs/common';
import type { ConsentBearer } from '../consent/consent-links.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { ConsentEmbedSession } from './embed-session.entity.ts';

/** Finds embed sessions that show requests for kept verifications. None whose request is over without an answer. */
@Injectable()
export class ConsentEmbedTokens extends EmbedTokens {
  constructor(database: IdentityDatabase) {
    super({ kind: 'wallet_consent', database, schema: 'identity', prefix: 'consent_', row: ConsentEmbedSession });
  }

  /** The access token of the frame is what tells it from other browsers: it has no cookies. */
  protected bearerOf(
    embed: EmbedBearer,
    _resolved: ResolvedEmbed,
    { headers }: PathRequest,
  ): EmbedBearer & ConsentBearer {
    return {
      ...embed,
      presentationId: embed.targetId,
      place: { kind: 'frame', origin: embed.parentOrigin },
      browser: embed.hasAccess ? accessToken(headers) : null,
    };
  }
}
