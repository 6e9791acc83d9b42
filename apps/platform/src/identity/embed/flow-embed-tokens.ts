import { type EmbedBearer, EmbedTokens, type ResolvedEmbed } from '@constancia/embed-sessions';
import { Injectable } from '@nestjs/common';
import type { CaptureBearer } from '../hosted/capture-tokens.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { EmbedSession } from './embed-session.entity.ts';

/** Whose the token is of an embed session that shows a flow session: its frame is one of the devices of the capture page. */
export interface FlowEmbedBearer extends EmbedBearer, CaptureBearer {}

/** subject_id: whom the flow session is about. active: whether the frame is the device that has it. */
interface ResolvedFlow extends ResolvedEmbed {
  subject_id: string;
  active: boolean;
}

/** Finds embed sessions that show flow sessions. None whose flow session is long over, or whose subject was erased. */
@Injectable()
export class FlowEmbedTokens extends EmbedTokens<ResolvedFlow> {
  constructor(database: IdentityDatabase) {
    super({ kind: 'flow', database, schema: 'identity', row: EmbedSession });
  }

  protected bearerOf(embed: EmbedBearer, { subject_id, active }: ResolvedFlow): FlowEmbedBearer {
    const { embedId, targetId, locale } = embed;
    return {
      ...embed,
      tokenId: embedId,
      sessionId: targetId,
      subjectId: subject_id,
      device: active ? 'active' : 'waiting',
      shown: { return_url: null, ...(locale !== null && { locale }) },
    };
  }
}
