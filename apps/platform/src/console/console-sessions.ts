import { createHash, randomBytes } from 'node:crypto';
import { generateMemberToken, hashSecret } from '@constancia/auth';
import type { Environment, Role, TenantStanding } from '@constancia/contracts';
import { type OneTimeCodes, uuidv7 } from '@constancia/kernel';
import { Database, sqlState, type Tx } from '@constancia/persistence';
import { TenantSuspended } from '@constancia/problem-json';
import { Logger, Metrics, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../config.ts';
import type { Locale } from '../locale.ts';
import { MemberMails } from '../members/member-mails.ts';
import type { SignInMethod } from '../members/member-session.entity.ts';
import { signInCodes } from '../members/sign-in-codes.ts';
import { emailDigest } from '../recovery/email-digest.ts';

/** How long a session is valid: after its last use, and at most. */
export const SESSION = { idleSeconds: 30 * 60, maxSeconds: 8 * 3_600 } as const;
const MEMBER_TOKEN_SECONDS = 600;
const SWEEP_MS = 60_000;
const MAX_USER_AGENT = 300;

/** The browser that signs in. */
export interface Browser {
  userAgent: string;
  ip: string;
}

/** A new session: the cookie's value, of 256 random bits as 43 characters of base64url. */
export interface OpenedSession {
  outcome: 'open';
  token: string;
}

/** Nobody is signed in: the member's tenant requires this method instead. */
export interface OtherMethodRequired {
  outcome: 'required';
  method: RequiredMethod;
}

/** What becomes of a member who has proved who they are. */
export type OpenResult = OpenedSession | OtherMethodRequired;

export type SignInResult =
  | OpenResult
  | { outcome: 'choose'; tenants: { tenant_id: string; name: string }[] }
  | { outcome: 'wrong' }
  | { outcome: 'locked'; retryAfterSeconds: number };

/** Raised by the store when a session begins of a tenant that is suspended. */
const SUSPENDED = 'CN423';

/** A row of platform.console_session. */
export interface ConsoleSession {
  id: string;
  tenant_id: string;
  member_id: string;
  method: SignInMethod;
  /** enrol: it may register the first passkey of its member, nothing else. */
  access: 'full' | 'enrol';
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  name: string;
  email: string;
  role: Role;
  locale: Locale;
  slug: string;
  display_name: string;
  environment: Environment;
}

type RequiredMethod = 'passkey' | 'sso';

/** What platform.open_member_session answers. */
type OpenOutcome = 'ok' | RequiredMethod;

/** How an attempt to sign in ends. failed: a single sign-on did, for a reason that sso_failures_total has. */
type SignInOutcome = OpenOutcome | 'choose' | 'wrong' | 'locked' | 'failed';

/** Whose member one becomes, or is, with a link. */
export interface Invitation {
  organization: string;
  email: string;
  role: Role;
}

interface SignInRow {
  outcome: Exclude<SignInOutcome, 'failed'>;
  retry_after: number | null;
  tenant_id: string;
  tenant_name: string;
}

/**
 * Sessions of members on the console host. What is asked of an address costs the same work whether or not it belongs to a member: the
 * request for a code only notes it, and a code is looked at in a row that every address has.
 */
@Injectable()
export class ConsoleSessions extends PeriodicWork {
  private readonly codes: OneTimeCodes;
  private readonly signIns;

  constructor(
    config: PlatformConfig,
    private readonly database: Database,
    private readonly mails: MemberMails,
    logger: Logger,
    metrics: Metrics,
  ) {
    super({ name: 'console-sessions', everyMs: SWEEP_MS, logger });
    this.codes = signInCodes(config);
    this.signIns = metrics.counter('member_sign_ins_total', 'Attempts of members to sign in', ['method', 'outcome']);
  }

  /** Deletes what has ended. */
  override async run(): Promise<void> {
    await this.database.query('select platform.delete_ended_sessions($1)', [SESSION.idleSeconds]);
  }

  async requestCode(email: string): Promise<void> {
    await this.database.query('select platform.request_sign_in_code($1, $2)', [email, emailDigest(email)]);
    this.mails.wake();
  }

  async signIn(email: string, code: string, tenantId: string | null, browser: Browser): Promise<SignInResult> {
    const digest = emailDigest(email);
    const { token, session } = newSession(browser);
    const hashes = this.codes.hashesOf(digest.toString('hex'), code);
    const rows = await this.database
      .query<SignInRow>('select * from platform.sign_in($1, $2, $3, $4, $5)', [
        email,
        digest,
        hashes,
        tenantId,
        session,
      ])
      .catch(refusedIfSuspended);
    const { outcome, retry_after } = rows[0] as SignInRow;
    this.count('code', outcome);
    if (outcome === 'locked') return { outcome, retryAfterSeconds: retry_after as number };
    if (outcome === 'wrong') return { outcome };
    if (outcome !== 'choose') return this.resultOf(outcome, token);
    return { outcome, tenants: rows.map(({ tenant_id, tenant_name: name }) => ({ tenant_id, name })) };
  }

  /** Of a link that would sign its member in now; null for any other token. */
  async invitationOf(linkToken: string): Promise<Invitation | null> {
    const [row] = await this.database.query<Invitation>('select * from platform.invitation_of_link($1)', [
      hashSecret(linkToken),
    ]);
    return row ?? null;
  }

  /** Null when the link was used, has expired or never existed. */
  async signInWithLink(linkToken: string, browser: Browser): Promise<OpenResult | null> {
    const { token, session } = newSession(browser);
    const [row] = await this.database
      .query<{ outcome: OpenOutcome | null }>('select platform.sign_in_with_link($1, $2) as outcome', [
        hashSecret(linkToken),
        session,
      ])
      .catch(refusedIfSuspended);
    this.count('link', row?.outcome ?? 'wrong');
    return row?.outcome ? this.resultOf(row.outcome, token) : null;
  }

  /**
   * Opens a session of an active member who has just proved who they are by `method`, in the transaction of that proof: the tenant's rule
   * applies, and a new device is noticed. Whether the member is active is for the caller to know. Throws TenantSuspended.
   */
  async openFor(
    tx: Tx,
    memberId: string,
    method: SignInMethod,
    browser: Browser,
    passkeyId?: string,
  ): Promise<OpenResult> {
    const { token, session } = newSession(browser, passkeyId);
    const [row] = await tx
      .query<{ outcome: OpenOutcome }>('select platform.open_member_session($1, $2, $3) as outcome', [
        ...[memberId, method, session],
      ])
      .catch(refusedIfSuspended);
    return this.resultOf((row as { outcome: OpenOutcome }).outcome, token);
  }

  /** Notes an attempt to sign in. For `openFor` the caller does, once its transaction is over. */
  count(method: SignInMethod, outcome: SignInOutcome): void {
    this.signIns.inc({ method, outcome });
  }

  /** The session of a cookie, which counts as used now; null when it has ended. Throws TenantSuspended. */
  async find(token: string): Promise<ConsoleSession | null> {
    const [row] = await this.database.query<ConsoleSession & { standing: TenantStanding }>(
      'select s.*, platform_v1.tenant_standing(s.tenant_id) as standing from platform.console_session($1, $2) s',
      [hashSecret(token), SESSION.idleSeconds],
    );
    if (row?.standing === 'suspended') throw new TenantSuspended();
    return row ?? null;
  }

  /** A member token of a session. */
  async issueToken({ id }: Pick<ConsoleSession, 'id'>): Promise<{ token: string; expires_at: string } | null> {
    const { plaintext, hash } = generateMemberToken();
    const [row] = await this.database.query<{ expires_at: Date | null }>(
      'select platform.issue_member_token($1, $2, $3) as expires_at',
      [id, hash, MEMBER_TOKEN_SECONDS],
    );
    return row?.expires_at ? { token: plaintext, expires_at: row.expires_at.toISOString() } : null;
  }

  async end(token: string): Promise<void> {
    await this.database.query('select platform.end_console_session($1)', [hashSecret(token)]);
  }

  private resultOf(outcome: OpenOutcome, token: string): OpenResult {
    if (outcome !== 'ok') return { outcome: 'required', method: outcome };
    this.mails.wake(); // a notice of a new device may wait
    return { outcome: 'open', token };
  }
}

function refusedIfSuspended(error: unknown): never {
  throw sqlState(error) === SUSPENDED ? new TenantSuspended() : error;
}

function newSession({ userAgent, ip }: Browser, passkeyId?: string): { token: string; session: string } {
  const token = randomBytes(32).toString('base64url');
  const session = {
    id: uuidv7(),
    token_hash: hashSecret(token).toString('hex'),
    max_seconds: SESSION.maxSeconds,
    user_agent: userAgent.slice(0, MAX_USER_AGENT),
    device_hash: createHash('sha256').update(userAgent).digest('hex'),
    ip,
    passkey_id: passkeyId,
  };
  return { token, session: JSON.stringify(session) };
}
