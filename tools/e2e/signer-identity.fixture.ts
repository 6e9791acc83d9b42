import type { CaptureState, CapturedPicture } from '@constancia/contracts';
import { eventually, type TestStack } from '@constancia/testing';
import { httpOf } from './deployment.fixture.ts';
import type { SignerState } from './envelopes.fixture.ts';
import type { Cedula } from './identity.fixture.ts';

export interface IdentityCheck {
  status: string;
  capture_url: string | null;
}

/** The browser of a signer whose identity is verified: keeps the claim and the proof. */
export class SignerBrowser {
  private claim: string | undefined;
  private proof: string | undefined;

  constructor(
    private readonly stack: TestStack,
    private readonly token: string,
  ) {}

  async call<Body>(path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<Body> {
    const response = await httpOf(this.stack)(`${this.stack.signingUrl}/v1/sign/${this.token}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(this.claim !== undefined && { 'X-Identity-Claim': this.claim }),
        ...(this.proof !== undefined && { 'X-Sign-Proof': this.proof }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    const answer = JSON.parse(text) as Body & { claim?: { token: string } | null; proof?: { token: string } };
    this.claim = answer.claim?.token ?? this.claim;
    this.proof = answer.proof?.token ?? this.proof;
    return answer;
  }

  /** Opens the link and agrees to sign electronically. */
  async consent(): Promise<SignerState> {
    const { consent } = await this.call<SignerState>('');
    return this.call('/consent', { accepted: true, locale: consent.locale, version: consent.version });
  }

  /** Names a document; answers the address of the capture page. */
  async start(documentNumber: string): Promise<string> {
    await this.call('/identity', { document_type: 'CC', document_number: documentNumber, country: 'CO' });
    return (await this.checkIn(['open'])).capture_url as string;
  }

  /** The check, once it has one of these states. */
  checkIn(statuses: string[], timeoutMs = 60_000): Promise<IdentityCheck> {
    return eventually(
      async () => {
        const check = await this.call<IdentityCheck>('/identity');
        if (!statuses.includes(check.status)) throw new Error(`the check is ${check.status}`);
        return check;
      },
      timeoutMs,
      500,
    );
  }

  complete = (): Promise<SignerState> => this.call('/identity/complete', undefined, 'POST');
}

/** A person on the capture page, by the API that the page calls. */
export class CapturePerson {
  private readonly token: string;
  private readonly origin: string;

  constructor(url: string) {
    this.token = new URL(url).hash.slice(1);
    this.origin = new URL(url).origin;
  }

  async consent(): Promise<CaptureState> {
    const { consent } = await this.call<CaptureState>('/capture/state');
    return this.advance({ accepted: true, locale: consent?.locale, version: consent?.version });
  }

  async document({ front, back }: Cedula): Promise<CaptureState> {
    return this.advance({
      doc_front_uri: await this.picture('doc_front', front),
      doc_back_uri: await this.picture('doc_back', back),
    });
  }

  async face(selfie: Buffer): Promise<CaptureState> {
    return this.advance({ selfie_uri: await this.picture('selfie', selfie) });
  }

  /** Sends a step, and waits until the work that it begins is done. */
  async advance(input: object): Promise<CaptureState> {
    const state = await this.call<CaptureState>('/capture/advance', JSON.stringify({ input }));
    if (state.status !== 'processing') return state;
    return eventually(
      async () => {
        const later = await this.call<CaptureState>('/capture/state');
        if (later.status === 'processing') throw new Error('the step is being worked on');
        return later;
      },
      120_000,
      250,
    );
  }

  private async picture(kind: string, picture: Buffer): Promise<string> {
    return (await this.call<CapturedPicture>(`/capture/pictures?kind=${kind}`, picture)).stored_uri;
  }

  private async call<Body>(path: string, body?: string | Buffer): Promise<Body> {
    const type = typeof body === 'string' ? 'application/json' : 'image/jpeg';
    const response = await fetch(`${this.origin}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        Authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'Content-Type': type }),
      },
      body: body === undefined ? null : typeof body === 'string' ? body : new Uint8Array(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Body;
  }
}
