import { hashSecret } from '@constancia/auth';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Injectable } from '@nestjs/common';
import { SigningConfig } from '../config.ts';
import { updateSigner } from '../envelope-records/envelope-changes.ts';
import { tenantSealing } from '../envelope-records/envelope-secrets.ts';
import type { SignerRow } from '../envelope-records/envelope-rows.ts';
import { type LockedEnvelope, lockEnvelope } from '../envelope-records/lock-envelope.ts';
import { SignTokens } from '../envelope-records/sign-tokens.ts';
import { recordEvent } from '../envelope-records/trail.ts';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SignerMails } from '../mails/signer-mails.ts';

/** Per signer. */
const BETWEEN_MAILS = '10 minutes';
const MAILS_PER_DAY = 3;
const DAY_MS = 86_400_000;

interface Renewable {
  tenant_id: string;
  envelope_id: string;
  signer_id: string;
}

/** Replaces links to sealed documents that have run out, and mails the new ones to the signers. */
@Injectable()
export class RenewedLinks {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly tokens: SignTokens,
    private readonly mails: SignerMails,
    private readonly mailLoop: SignerMailLoop,
    private readonly config: SigningConfig,
  ) {}

  /** Does nothing for a token that is not that of a link that has run out. */
  async renew(token: string): Promise<void> {
    const { database, personal, mailLoop } = this;
    const hash = hashSecret(token);
    const [found] = await database.query<Renewable>(
      `select f.* from signing.find_renewable_link($1, $2) f where platform_v1.tenant_standing(f.tenant_id) in ('active', 'closing')`,
      [hash, this.config.sealedLinkDays],
    );
    if (!found) return;
    const sealing = await tenantSealing(personal, found.tenant_id);
    const mailed = await database.tenant(found.tenant_id, async (tx) => {
      const locked = await lockEnvelope(tx, sealing, found.tenant_id, found.envelope_id);
      const signer = locked.signers.find(({ id }) => id === found.signer_id);
      if (!signer || signer.link_stopped_at !== null || (await mailedLately(tx, signer))) return false;
      await this.mail(tx, locked, signer);
      return true;
    });
    if (mailed) mailLoop.wake();
  }

  private async mail(tx: Tx, { envelope }: LockedEnvelope, signer: SignerRow): Promise<void> {
    const { tokens, mails } = this;
    if (this.isOver(envelope.signed_at, signer)) {
      const { hash, sealed } = tokens.issue(signer.id);
      await tx.query(
        `insert into signing.former_link (token_hash, tenant_id, signer_id) values ($1, $2, $3)
         on conflict (token_hash) do nothing`,
        [signer.token_hash, signer.tenant_id, signer.id],
      );
      await updateSigner(tx, signer, { token_hash: hash, token_sealed: sealed, link_renewed_at: new Date() });
      await recordEvent(tx, {
        tenantId: envelope.tenant_id,
        envelopeId: envelope.id,
        type: 'signer.link_renewed',
        signer,
        data: {},
      });
    }
    await mails.enqueue(tx, {
      ...{ kind: 'completed', envelope, signer, dedupe: `${renewal(signer)}${Date.now()}` },
      whenFull: 'wait',
    });
  }

  private isOver(sealedAt: Date | null, { link_renewed_at }: SignerRow): boolean {
    const since = Math.max(sealedAt?.getTime() ?? 0, link_renewed_at?.getTime() ?? 0);
    return since + this.config.sealedLinkDays * DAY_MS <= Date.now();
  }
}

const renewal = ({ id }: SignerRow) => `renewed:${id}:`;

async function mailedLately(tx: Tx, signer: SignerRow): Promise<boolean> {
  const [counts] = await tx.query<{ recent: number; today: number }>(
    `select count(*) filter (where created_at > now() - interval '${BETWEEN_MAILS}')::int as recent, count(*)::int as today
       from signing.signer_mail
      where signer_id = $1 and kind = 'completed' and starts_with(dedupe, $2) and created_at > now() - interval '1 day'`,
    [signer.id, renewal(signer)],
  );
  return counts !== undefined && (counts.recent > 0 || counts.today >= MAILS_PER_DAY);
}
