import { EMBED_HOSTS, type EmbedKind } from '@constancia/contracts';
import { ValidationError } from '@constancia/problem-json';
import type { EmbedTargets } from './embed-targets.ts';

/** What the embed sessions of an app can show. The app provides it. */
export class EmbedKinds {
  /** @param all one for each kind */
  constructor(readonly all: readonly [EmbedTargets, ...EmbedTargets[]]) {}

  /** Of a kind that a session of this app has. */
  of(kind: EmbedKind): EmbedTargets {
    const found = this.find(kind);
    if (found === undefined) throw new Error(`this app has no embed sessions of kind ${kind}`);
    return found;
  }

  /** Of a kind in a body. Throws ValidationError, which names the host, for one that another app shows. */
  asked(kind: EmbedKind): EmbedTargets {
    const found = this.find(kind);
    if (found !== undefined) return found;
    const [{ config }] = this.all;
    const addresses = { platform: config.baseUrl, signing: config.signingUrl };
    const address = `${addresses[EMBED_HOSTS[kind]].replace(/\/+$/, '')}/v1/embed/sessions`;
    const own = this.all.map((targets) => targets.kind).join(' and ');
    const detail = `Create embed sessions of kind ${kind} at ${address}; here those of kind ${own}.`;
    throw new ValidationError([{ pointer: '/kind', code: 'other_host', detail }]);
  }

  private find(kind: EmbedKind): EmbedTargets | undefined {
    return this.all.find((targets) => targets.kind === kind);
  }
}
