import { generateCheckedToken, hashSecret, isCheckedToken } from '@constancia/auth';
import type { CaptureDevice, TenantStanding } from '@constancia/contracts';
import type { CredentialHolder } from '@constancia/http';
import { uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { NotFound, StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { Capture } from './capture.entity.ts';
import { CaptureToken } from './capture-token.entity.ts';

/** What a capture token begins with. */
export const CAPTURE_TOKEN_PREFIX = 'cpt_';

/** How long the link of a handover may be opened. */
const HANDOVER_MINUTES = 10;
/** Handovers of one session. */
export const MOST_HANDOVERS = 5;
/** The end of a session is shown for so long after its time is over; then its tokens are nobody's. */
const SHOWN_HOURS = 24;

/** Whose a capture token is. Ids are UUIDs. */
export interface CaptureBearer extends CredentialHolder {
  tokenId: string;
  sessionId: string;
  subjectId: string;
  device: CaptureDevice;
  /** What the page of this device shows in the place of what the session was opened with. */
  shown?: Partial<Pick<Capture, 'locale' | 'return_url'>>;
}

/** What a hosted session is opened with. */
export type NewCapture = Pick<Capture, 'session_id' | 'tenant_id' | 'tenant_name' | 'return_url' | 'locale'>;

interface ResolvedToken {
  token_id: string;
  kind: CaptureToken['kind'];
  active: boolean;
  session_id: string;
  tenant_id: string;
  subject_id: string;
  standing: TenantStanding;
}

/** The tokens of the capture page: of the devices that a hosted session is taken on. */
@Injectable()
export class CaptureTokens {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
  ) {}

  /** Whose a token is; null when it is unknown, expired or ended, the session is long over, or its subject was erased. */
  async find(token: string): Promise<CaptureBearer | null> {
    if (!isCheckedToken(CAPTURE_TOKEN_PREFIX, token)) return null;
    const [row] = await this.database.query<ResolvedToken>(
      'select c.*, platform_v1.tenant_standing(c.tenant_id) as standing from identity.resolve_capture_token($1) c',
      [hashSecret(token)],
    );
    if (!row) return null;
    const { kind, active, token_id: tokenId, session_id: sessionId, tenant_id: tenantId, subject_id: subjectId } = row;
    const device = kind === 'handover' ? 'unopened' : active ? 'active' : 'waiting';
    return { tokenId, tenantId, sessionId, subjectId, standing: row.standing, device };
  }

  /** Makes a session one of the capture page, in the transaction that opens it; answers the page's address, shown once. */
  async open(tx: Tx, capture: NewCapture): Promise<string> {
    const id = uuidv7();
    await tx.manager.insert(Capture, { ...capture, active_token: id, handovers: 0 });
    return this.addressOf(await this.issue(tx, capture, { id, kind: 'device' }));
  }

  /** Lets the capture page show a session that was not opened for it. Changes nothing of one that was. */
  async enable(tx: Tx, capture: NewCapture, deviceId: string): Promise<void> {
    const { session_id, tenant_id, tenant_name, return_url, locale } = capture;
    await tx.query(
      `insert into identity.capture (session_id, tenant_id, tenant_name, return_url, locale, active_token)
       values ($1, $2, $3, $4, $5, $6) on conflict (session_id) do nothing`,
      [session_id, tenant_id, tenant_name, return_url, locale, deviceId],
    );
  }

  /** The device of a token has the session from now on. Answers a token of its own for the link of a handover, which is used up. */
  async claim(tx: Tx, bearer: CaptureBearer): Promise<string | null> {
    const capture = await lockCapture(tx, bearer);
    if (bearer.device !== 'unopened') {
      await activate(tx, capture, bearer.tokenId);
      return null;
    }
    const used = await tx.query(
      `update identity.capture_token set ended_at = now()
        where id = $1 and tenant_id = $2 and ended_at is null and expires_at > now() returning 1`,
      [bearer.tokenId, bearer.tenantId],
    );
    if (used.length === 0) throw new NotFound();
    const id = uuidv7();
    const token = await this.issue(tx, capture, { id, kind: 'device' });
    await activate(tx, capture, id);
    return token;
  }

  /** A link for another device. Ends one that nobody has opened. Throws StateConflict when there were too many. */
  async handOver(tx: Tx, bearer: CaptureBearer): Promise<{ url: string; expiresAt: Date }> {
    const capture = await lockCapture(tx, bearer);
    if (capture.handovers >= MOST_HANDOVERS) {
      throw new StateConflict(`A session is handed over ${MOST_HANDOVERS} times at most: go on where you are.`);
    }
    await tx.query(
      `update identity.capture_token set ended_at = now()
        where session_id = $1 and tenant_id = $2 and kind = 'handover' and ended_at is null`,
      [capture.session_id, capture.tenant_id],
    );
    await tx.manager.update(Capture, sessionOf(capture), { handovers: capture.handovers + 1 });
    const token = await this.issue(tx, capture, { id: uuidv7(), kind: 'handover' });
    return { url: this.addressOf(token), expiresAt: new Date(Date.now() + HANDOVER_MINUTES * 60_000) };
  }

  /** Ends the link of a session and every device that has it. */
  async end(tx: Tx, tenantId: string, sessionId: string): Promise<void> {
    const open = { tenant_id: tenantId, session_id: sessionId, ended_at: IsNull() };
    await tx.manager.update(CaptureToken, open, { ended_at: new Date() });
  }

  private async issue(
    tx: Tx,
    { tenant_id, session_id }: Pick<Capture, 'tenant_id' | 'session_id'>,
    { id, kind }: Pick<CaptureToken, 'id' | 'kind'>,
  ): Promise<string> {
    const { plaintext, hash } = generateCheckedToken(CAPTURE_TOKEN_PREFIX);
    await tx.query(
      `insert into identity.capture_token (id, tenant_id, session_id, token_hash, kind, expires_at)
       select $1, $2, $3, $4, $5, case $5::text when 'handover' then now() + make_interval(mins => $6)
                                  else s.expires_at + make_interval(hours => $7) end
         from identity.flow_session s where s.id = $3 and s.tenant_id = $2`,
      [id, tenant_id, session_id, hash, kind, HANDOVER_MINUTES, SHOWN_HOURS],
    );
    return plaintext;
  }

  /** The token stands in the fragment: no server and no log sees it. */
  private addressOf(token: string): string {
    return `${this.config.personAddress}/capture#${token}`;
  }
}

/** How a hosted session is taken. Throws NotFound when it is not. */
export async function captureOf(
  tx: Tx,
  { tenantId, sessionId }: Pick<CaptureBearer, 'tenantId' | 'sessionId'>,
): Promise<Capture> {
  const capture = await tx.manager.findOneBy(Capture, { tenant_id: tenantId, session_id: sessionId });
  if (!capture) throw new NotFound();
  return capture;
}

async function lockCapture(tx: Tx, { tenantId, sessionId }: CaptureBearer): Promise<Capture> {
  const [row] = await tx.query<Capture>(
    'select * from identity.capture where session_id = $1 and tenant_id = $2 for no key update',
    [sessionId, tenantId],
  );
  if (!row) throw new NotFound();
  return row;
}

async function activate(tx: Tx, capture: Capture, tokenId: string): Promise<void> {
  await tx.manager.update(Capture, sessionOf(capture), { active_token: tokenId });
}

const sessionOf = ({ tenant_id, session_id }: Capture) => ({ tenant_id, session_id });
