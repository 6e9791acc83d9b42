import { type EmbedBearer, EmbedTokens, type ResolvedEmbed } from '@constancia/embed-sessions';
import type { PathRequest } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { PROOF, sentTokenHash } from '../signer-requests/browser-tokens.ts';
import { SignersByToken } from '../signer-requests/find-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { EmbedSession } from './embed-session.entity.ts';

interface ResolvedSigner extends ResolvedEmbed {
  link_hash: Buffer;
}

/** Finds embed sessions that show the page of a signer. None whose signer's link no longer works, or was replaced. */
@Injectable()
export class SignEmbedTokens extends EmbedTokens<ResolvedSigner> {
  constructor(
    database: Database,
    private readonly signers: SignersByToken,
  ) {
    super({ kind: 'sign', database, schema: 'signing', row: EmbedSession });
  }

  /** The frame proves by header alone what its signer has authenticated: it has no cookies. */
  protected async bearerOf(
    embed: EmbedBearer,
    { link_hash }: ResolvedSigner,
    { headers }: PathRequest,
  ): Promise<(EmbedBearer & FoundSigner) | null> {
    const found = await this.signers.findByHash(link_hash, sentTokenHash(PROOF, headers) ?? null);
    return found && { ...embed, ...found, frame: { origin: embed.parentOrigin } };
  }
}
