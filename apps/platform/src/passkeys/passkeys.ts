import { AuditLog } from '@constancia/auth';
import { Database, type Tx } from '@constancia/persistence';
import { StateConflict, Unauthorized, UnprocessableEntity } from '@constancia/problem-json';
import { typeId } from '@constancia/kernel';
import { Injectable } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { type Browser, type ConsoleSession, ConsoleSessions, type OpenResult } from '../console/console-sessions.ts';
import { MemberMails } from '../members/member-mails.ts';
import { MemberCeremonies } from './member-ceremonies.ts';
import { Passkey } from './passkey.entity.ts';

/** How many passkeys a member may have. */
export const MAX_PASSKEYS = 10;

const REFUSED = 'The passkey was not accepted. Try again, or sign in another way.';

interface Registered {
  outcome: 'ok' | 'ended' | 'limit' | 'exists';
  passkey_id: string | null;
}

/** Registering passkeys in a console session, and signing in with them. */
@Injectable()
export class Passkeys {
  constructor(
    private readonly database: Database,
    private readonly ceremonies: MemberCeremonies,
    private readonly sessions: ConsoleSessions,
    private readonly mails: MemberMails,
  ) {}

  async registrationOptions(session: ConsoleSession): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const known = await this.database.tenant(session.tenant_id, (tx) => passkeysOf(tx, session.member_id));
    if (known.length >= MAX_PASSKEYS)
      throw new StateConflict(`A member may have ${MAX_PASSKEYS} passkeys: remove one first.`);
    const { member_id: id, name: displayName, email, display_name: tenant } = session;
    return this.ceremonies.beginRegistration(session.id, { id, name: `${email} (${tenant})`, displayName }, known);
  }

  /** Throws UnprocessableEntity for a response that proves nothing, StateConflict, Unauthorized when the session may not. */
  async register(
    session: ConsoleSession,
    name: string,
    response: RegistrationResponseJSON,
    origin: string,
  ): Promise<void> {
    const passkey = await this.ceremonies.finishRegistration(session.id, response);
    if (passkey === null) throw new UnprocessableEntity('The passkey was not accepted: begin again.');
    const { tenant_id, member_id } = session;
    await this.database.tenant(tenant_id, async (tx) => {
      const [row] = await tx.query<Registered>(
        'select * from platform.register_passkey($1, $2, $3, $4, $5, $6, $7, $8)',
        [
          ...[session.id, MAX_PASSKEYS, name, passkey.credentialId, passkey.publicKey],
          ...[passkey.signCount, passkey.transports, passkey.backedUp],
        ],
      );
      const { outcome, passkey_id } = row as Registered;
      if (outcome === 'ended') throw new Unauthorized('No one is signed in: sign in again.');
      if (outcome === 'limit') throw new StateConflict(`A member may have ${MAX_PASSKEYS} passkeys: remove one first.`);
      if (outcome === 'exists') throw new StateConflict('This passkey is registered already.');
      const principal = { kind: 'member', id: member_id, name: session.name, tenant: { id: tenant_id } } as const;
      const object = { kind: 'passkey', id: typeId('psk', passkey_id as string) };
      await AuditLog.record(tx, { principal, action: 'member.passkey_added', object, origin });
    });
    this.mails.wake();
  }

  signInOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.ceremonies.beginSignIn();
  }

  /** Throws Unauthorized, the same for an unknown passkey, a suspended member, a wrong signature and a count that went back. */
  async signIn(response: AuthenticationResponseJSON, browser: Browser): Promise<OpenResult> {
    const [known = null] = await this.database.query<Pick<Passkey, 'id' | 'member_id' | 'public_key'>>(
      'select * from platform.passkey_by_credential($1)',
      [Buffer.from(response.id, 'base64url')],
    );
    const key = known && { publicKey: known.public_key, userId: known.member_id };
    const assertion = await this.ceremonies.finishSignIn(response, key);
    const result =
      known === null || assertion === null
        ? null
        : await this.database.transaction(async (tx) => {
            const { signCount, backedUp } = assertion;
            const [row] = await tx.query<{ member_id: string | null }>(
              'select platform.use_passkey($1, $2, $3) as member_id',
              [...[known.id, signCount, backedUp]],
            );
            if (!row?.member_id) return null;
            return this.sessions.openFor(tx, row.member_id, 'passkey', browser, known.id);
          });
    this.mails.wake(); // a notice may wait
    const outcome = result?.outcome === 'required' ? result.method : 'ok';
    this.sessions.count('passkey', result === null ? 'wrong' : outcome);
    if (result === null) throw new Unauthorized(REFUSED);
    return result;
  }
}

/** The passkeys of a member, the oldest first. */
export function passkeysOf(tx: Tx, memberId: string): Promise<Passkey[]> {
  return tx.manager.find(Passkey, { where: { member_id: memberId }, order: { id: 'asc' } });
}
