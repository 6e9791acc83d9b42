import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { isoBase64URL, isoUint8Array } from '@simplewebauthn/server/helpers';
import type { PasskeyChallenges } from './passkey-challenges.ts';

const CHALLENGE_SECONDS = 300;
/** The longest that authenticators may make (WebAuthn 3, 5.1.3), and that tables of passkeys keep. */
const MAX_CREDENTIAL_ID_BYTES = 1_023;
/** COSE: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

/** What a signature is checked with. */
export interface VerificationKey {
  publicKey: Uint8Array;
  /** UUID: who registered it. */
  userId: string;
}

export interface NewPasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  transports: string[];
  backedUp: boolean;
}

export interface Assertion {
  signCount: number;
  backedUp: boolean;
}

/** Who a passkey is registered for. */
export interface PasskeyUser {
  /** UUID. */
  id: string;
  /** What tells several passkeys of one host apart for the person. */
  name: string;
  displayName: string;
}

/**
 * The two ceremonies of WebAuthn on a page host: its host name is the relying party, its origin the only one that counts. Every challenge
 * is kept in the store, is valid for five minutes and is taken once, whatever becomes of the response.
 */
export class PasskeyCeremonies {
  private readonly rpId: string;
  private readonly origin: string;
  /** A key that nobody has: what the response of an unknown credential is checked with, so that it costs the same work. */
  private readonly nobodysKey = newKey();

  /** @param pageUrl of the page host */
  constructor(
    pageUrl: string,
    private readonly challenges: PasskeyChallenges,
  ) {
    ({ hostname: this.rpId, origin: this.origin } = new URL(pageUrl));
  }

  async beginRegistration(
    sessionId: string,
    user: PasskeyUser,
    known: { credential_id: Buffer; transports: string[] }[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const options = await generateRegistrationOptions({
      rpName: 'Constancia',
      rpID: this.rpId,
      userID: userHandleOf(user.id),
      userName: user.name,
      userDisplayName: user.displayName,
      timeout: CHALLENGE_SECONDS * 1000,
      attestationType: 'none',
      excludeCredentials: known.map(({ credential_id, transports }) => ({
        id: credential_id.toString('base64url'),
        transports,
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    await this.challenges.note(hashOf(options.challenge), sessionId, CHALLENGE_SECONDS);
    return options;
  }

  /** Null when the response does not prove it, or its id is too long. */
  async finishRegistration(sessionId: string, response: RegistrationResponseJSON): Promise<NewPasskey | null> {
    const expectedChallenge = await this.take(response, sessionId);
    if (expectedChallenge === null) return null;
    const { registrationInfo } = await unlessWrong(() =>
      verifyRegistrationResponse({
        response,
        expectedChallenge,
        expectedOrigin: this.origin,
        expectedRPID: this.rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    );
    if (registrationInfo === undefined) return null;
    const { credential, credentialBackedUp: backedUp } = registrationInfo;
    const credentialId = Buffer.from(credential.id, 'base64url');
    if (credentialId.length > MAX_CREDENTIAL_ID_BYTES) return null;
    return {
      credentialId,
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
      transports: credential.transports ?? [],
      backedUp,
    };
  }

  /** Names no credential: the browser offers those that it has for this host. @param stepUp the id of what is signed for, if not a sign-in */
  async beginSignIn(stepUp: string | null = null): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const options = await generateAuthenticationOptions({
      rpID: this.rpId,
      userVerification: 'required',
      timeout: CHALLENGE_SECONDS * 1000,
    });
    await this.challenges.note(hashOf(options.challenge), stepUp, CHALLENGE_SECONDS);
    return options;
  }

  /**
   * Null when the response does not prove possession of the key, or names another user; of an unknown credential always, after the same
   * work.
   */
  async finishSignIn(
    response: AuthenticationResponseJSON,
    known: VerificationKey | null,
    stepUp: string | null = null,
  ): Promise<Assertion | null> {
    const expectedChallenge = await this.take(response, stepUp);
    if (expectedChallenge === null) return null;
    const { verified, authenticationInfo: info } = await unlessWrong(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: this.origin,
        expectedRPID: this.rpId,
        requireUserVerification: true,
        // The store compares the count, in the statement that writes it.
        credential: {
          id: response.id,
          publicKey: new Uint8Array(known?.publicKey ?? this.nobodysKey),
          counter: 0,
        },
      }),
    );
    if (!verified || info === undefined || known === null) return null;
    if (response.response.userHandle !== isoBase64URL.fromBuffer(userHandleOf(known.userId))) return null;
    return { signCount: info.newCounter, backedUp: info.credentialBackedUp };
  }

  /** The challenge that a response answers, which is used up; null for one that is not open, and for a ceremony in a frame of another page. */
  private async take(response: CeremonyResponse, sessionId: string | null): Promise<string | null> {
    const { challenge, crossOrigin } = clientDataOf(response);
    if (typeof challenge !== 'string' || crossOrigin === true) return null;
    return (await this.challenges.take(hashOf(challenge), sessionId)) ? challenge : null;
  }
}

interface CeremonyResponse {
  response: { clientDataJSON: string };
}

function clientDataOf({ response }: CeremonyResponse): { challenge?: unknown; crossOrigin?: unknown } {
  try {
    return (JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8')) as object | null) ?? {};
  } catch {
    return {};
  }
}

/** The checks throw at a wrong response. They read nothing but the response. */
async function unlessWrong<Result extends { verified: boolean }>(
  check: () => Promise<Result>,
): Promise<Partial<Result>> {
  try {
    return await check();
  } catch {
    return {};
  }
}

/** A user as authenticators know them: it says nothing about the person. */
const userHandleOf = (userId: string) => isoUint8Array.fromHex(userId.replaceAll('-', ''));

const hashOf = (challenge: string): Buffer => createHash('sha256').update(challenge).digest();

/** An ES256 public key as COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function newKey(): Buffer {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const [head, between] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
  return Buffer.concat([head, Buffer.from(x, 'base64url'), between, Buffer.from(y, 'base64url')]);
}
