import {
  type WalletRecoveryChallenge,
  type WalletRecoveryFacts,
  WALLET_RECOVERY_ROUTES,
  type WalletRecoveryStart,
  type WalletRecoveryVerified,
  walletFaceRecord,
} from '@constancia/contracts';
import { uuidOf } from '@constancia/kernel';
import { eventually, type TestDatabase } from '@constancia/testing';
import { SoftAuthenticator } from '../../../../../../libs/auth/src/passkeys/authenticator.fixture.ts';
import { picture } from '../../uploads/pictures.fixture.ts';
import { newWallet } from '../signed-in-person.fixture.ts';
import { codeIn, type RunningWallets } from '../wallet.fixture.ts';
import { WalletContacts } from '../wallet-contacts.ts';
import { WalletIndex } from '../wallet-index.ts';
import { WalletKeys } from '../wallet-keys.ts';
import { CONTACT, sealBytesForWallet, sealForWallet } from '../wallet-records.ts';

export const ORIGIN = 'https://person.example';
const CODE = 'Your code to recover your wallet';
type Options = { challenge: string; user: { id: string } };
type Outcome = 'pass' | 'reject' | 'review' | 'retry' | 'error';

/** A person whose wallet is being recovered, on the page of wallets. */
export class RecoveringPerson {
  readonly device = new SoftAuthenticator(ORIGIN);

  private constructor(
    private readonly wallets: RunningWallets,
    private readonly store: TestDatabase,
    readonly walletId: string,
    readonly email: string,
  ) {}

  /** With a wallet that keeps a face, unless it is said otherwise. */
  static async of(wallets: RunningWallets, store: TestDatabase, { face = true } = {}): Promise<RecoveringPerson> {
    const walletId = await newWallet(wallets.platform, store);
    const email = `${walletId.slice(-12)}@correo.example.co`;
    const service = <Service>(of: abstract new (...given: never[]) => Service): Service =>
      wallets.platform.app.get<Service>(of as never, { strict: false });
    const [row] = await store.query<{ wrapped_key: Buffer }>(
      'select wrapped_key from identity.wallet where wallet_id = $1',
      [walletId],
    );
    const key = await service(WalletKeys).unwrap(walletId, row?.wrapped_key as Buffer);
    await store.query('update identity.wallet set contact_index = $2, sealed = $3 where wallet_id = $1', [
      ...[walletId, await service(WalletIndex).contact(email), sealForWallet(key, walletId, CONTACT, { email })],
    ]);
    if (face) {
      const [verification] = await store.query<{ id: string }>(
        'select id from identity.wallet_verification where wallet_id = $1',
        [walletId],
      );
      const id = verification?.id as string;
      const sealed = sealBytesForWallet(key, walletId, walletFaceRecord(id), await picture());
      await store.query('insert into identity.wallet_face (wallet_id, verification_id, sealed) values ($1, $2, $3)', [
        ...[walletId, id, sealed],
      ]);
    }
    if ((await service(WalletContacts).of(walletId))?.email !== email)
      throw new Error('the wallet has another contact');
    return new RecoveringPerson(wallets, store, walletId, email);
  }

  post<Body = object>(path: string, body: object = {}) {
    return this.wallets.host.call<Body>(path, { body });
  }

  async start(): Promise<string> {
    const { body } = await this.post<WalletRecoveryStart>(WALLET_RECOVERY_ROUTES.start, { identifier: this.email });
    return body.recovery_id;
  }

  /** The code of the recovery after so many. */
  code(after: number): Promise<string> {
    return eventually(() => {
      const mails = this.codes();
      if (mails.length <= after) throw new Error(`no code to ${this.email} yet`);
      return codeIn(mails[0] as { text: string });
    }, 20_000);
  }

  /** Begins, with the mailed code; answers the recovery and the path of its evidence. */
  async verified(): Promise<{ id: string; evidence: string }> {
    const before = this.codes().length;
    const id = await this.start();
    const code = await this.code(before);
    const { status, body } = await this.post<WalletRecoveryVerified>(WALLET_RECOVERY_ROUTES.verify, {
      recovery_id: id,
      code,
    });
    if (status !== 200) throw new Error(`not verified: ${status}`);
    return { id, evidence: new URL(body.upload_url).pathname };
  }

  async send(evidence: string): Promise<{ status: number; uri: string }> {
    const body = await picture();
    const answer = await this.wallets.host.call<{ stored_uri: string }>(evidence, { method: 'PUT', body });
    return { status: answer.status, uri: answer.body.stored_uri };
  }

  private codes() {
    return this.wallets.mailbox.messages(this.email).filter(({ subject }) => subject === CODE);
  }

  /** What complete takes: a challenge, its pictures, and a new passkey. */
  async completion({ id, evidence }: { id: string; evidence: string }) {
    const { body: challenge } = await this.post<WalletRecoveryChallenge>(
      `${evidence}${WALLET_RECOVERY_ROUTES.challenge}`,
    );
    const { body: options } = await this.post<Options>(`${evidence}${WALLET_RECOVERY_ROUTES.passkey}`);
    const uris: string[] = [];
    for (let n = 0; n <= challenge.poses.length; n += 1) uris.push((await this.send(evidence)).uri);
    const [selfie, ...frames] = uris;
    return {
      recovery_id: id,
      selfie_uri: selfie as string,
      challenge_id: challenge.challenge_id,
      frame_uris: frames,
      passkey: { name: 'Celular nuevo', credential: this.device.create(options) },
    };
  }

  complete(completion: object) {
    return this.post<WalletRecoveryFacts>(WALLET_RECOVERY_ROUTES.complete, completion);
  }

  /** Recovered up to the time in which it can be cancelled. */
  async cooling(): Promise<string> {
    const verified = await this.verified();
    const { body } = await this.complete(await this.completion(verified));
    if (body.state !== 'cooling') throw new Error(`the recovery is ${body.state}: ${body.reason}`);
    return verified.id;
  }

  /** Its notice is sent, and its time is over. */
  async due(id: string): Promise<void> {
    const [row] = await this.store.query(
      `update identity.wallet_recovery set effective_at = now() - interval '1 s' where id = $1 and cancel_hash is not null
          and not exists (select from identity.wallet_mail m where m.recovery_id = $1) returning 1`,
      [uuidOf('wrc', id)],
    );
    if (row === undefined) throw new Error('the notice is not sent yet');
  }
}

/** Ends checks as the biometrics worker does, as the test says. What engines find is tested with the engines. */
export class CheckHarness {
  private stopped = false;
  private readonly loop: Promise<void>;
  readonly seen: string[] = [];

  constructor(
    private readonly store: TestDatabase,
    private readonly decide: () => { outcome: Outcome; reason?: string },
  ) {
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const claimed = await this.store.query<{ id: string; lease_token: string }>(
        'select * from identity.claim_recovery_checks(10, 5)',
      );
      for (const { id, lease_token } of claimed) {
        this.seen.push(id);
        const { outcome, reason = null } = this.decide();
        await this.store.query('select identity.finish_recovery_check($1, $2, $3, $4, 3)', [id, lease_token, outcome, reason]); // prettier-ignore
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
