import { randomUUID } from 'node:crypto';
import { createSigningClient } from '@constancia/sdk';
import { demoContract } from '@constancia/dev-servers/demo-contract';
import { CUSTOMERS, mailOf, MEMBERS, type Person } from './people.ts';
import { answered, type Shop, until } from './shop.ts';

/** Of every invented signer: a code by mail would need the mailbox of this stack. */
const ACCESS_CODE = 'demo-2026';
const SUBJECTS = ['Contrato de arrendamiento', 'Pagaré y carta de instrucciones', 'Vinculación de cliente'] as const;

interface Signer {
  token: string;
  name: string;
}

interface SentEnvelope {
  id: string;
  customer: Signer;
  firm: Signer;
}

/** The envelopes of a month on one circuit: a customer signs, then the firm. */
export class Envelopes {
  private readonly sent: SentEnvelope[] = [];

  private constructor(
    private readonly shop: Shop,
    private readonly circuitId: string,
  ) {}

  static async prepare(shop: Shop): Promise<Envelopes> {
    const { signing } = shop;
    const { id } = await answered(
      signing.POST('/v1/circuits', { body: { code: 'vinculacion', name: 'Vinculación de clientes' } }),
    );
    const params = { path: { id } };
    await answered(signing.POST('/v1/circuits/{id}/base-pdf', { params, body: demoContract() as never }));
    await answered(signing.PUT('/v1/circuits/{id}/definition', { params, body: DEFINITION }));
    await answered(signing.POST('/v1/circuits/{id}/publish', { params }));
    return new Envelopes(shop, id);
  }

  /** Sends one; `expires_in_days` is how long it may be signed. */
  async send(person: Person, expires_in_days = 30): Promise<SentEnvelope> {
    const subject = `${SUBJECTS[this.sent.length % SUBJECTS.length] as string}: ${person.name}`;
    const signers = [
      { role: 'cliente', email: mailOf(person.name), name: person.name, access_code: ACCESS_CODE },
      { role: 'empresa', email: mailOf(MEMBERS.sender), name: MEMBERS.sender, access_code: ACCESS_CODE },
    ];
    const made = await answered(
      this.shop.signing.POST('/v1/envelopes', {
        params: { header: { 'Idempotency-Key': randomUUID() } },
        body: { circuit_id: this.circuitId, subject, signers, expires_in_days, notify: false },
      }),
    );
    const signer = (role: string, name: string): Signer => ({
      token: made.signers.find((one) => one.role === role)?.sign_token as string,
      name,
    });
    const envelope = { id: made.id, customer: signer('cliente', person.name), firm: signer('empresa', MEMBERS.sender) };
    this.sent.push(envelope);
    return envelope;
  }

  /** The link is opened, and nothing else. */
  async look({ token }: Signer): Promise<void> {
    await answered(this.signerOf().GET('/v1/sign/{token}', { params: { path: { token } } }));
  }

  async sign({ token, name }: Signer): Promise<void> {
    const proof = await this.prove(token);
    await answered(
      this.signerOf(proof).POST('/v1/sign/{token}/sign', {
        params: { path: { token } },
        body: { signature: { type: 'typed', text: name }, fields: {}, intent: true },
      }),
    );
  }

  async decline({ token }: Signer, reason: string): Promise<void> {
    const proof = await this.prove(token);
    await answered(
      this.signerOf(proof).POST('/v1/sign/{token}/decline', { params: { path: { token } }, body: { reason } }),
    );
  }

  async withdraw({ id }: SentEnvelope, reason: string): Promise<void> {
    await answered(this.shop.signing.POST('/v1/envelopes/{id}/void', { params: { path: { id } }, body: { reason } }));
  }

  async whenSealed({ id }: SentEnvelope): Promise<void> {
    await until('sealing', async () => {
      const { status } = await answered(this.shop.signing.GET('/v1/envelopes/{id}', { params: { path: { id } } }));
      return status === 'sealed' || undefined;
    });
  }

  private async prove(token: string): Promise<string | undefined> {
    const signer = this.signerOf();
    const params = { path: { token } };
    const { consent } = await answered(signer.GET('/v1/sign/{token}', { params }));
    const { locale, version } = consent;
    await answered(signer.POST('/v1/sign/{token}/consent', { params, body: { accepted: true, locale, version } }));
    const state = await answered(signer.POST('/v1/sign/{token}/access-code', { params, body: { code: ACCESS_CODE } }));
    return state.proof?.token;
  }

  /** A signer has the link and the proof, and no key. */
  private signerOf(proof?: string) {
    const fetchWithProof = (request: Request): Promise<Response> => {
      if (proof) request.headers.set('X-Sign-Proof', proof);
      return fetch(request);
    };
    return createSigningClient({ baseUrl: this.shop.stack.signing_url, fetch: fetchWithProof });
  }
}

const box = (signer: string, x: number) => ({ key: `firma_${signer}`, signer, type: 'signature' as const, page: 1, x, y: 200 }); // prettier-ignore
const DEFINITION = {
  signers: [
    { role: 'cliente', order: 1, auth: ['access_code' as const] },
    { role: 'empresa', order: 2, auth: ['access_code' as const] },
  ],
  fields: [box('cliente', 72), box('empresa', 340)],
};

/** What happens with envelopes, by the days ago on which they are sent. What is sealed is sealed today: a sealed file is never made older. */
export function envelopePlan(envelopes: Envelopes): Record<number, () => Promise<unknown>> {
  const customer = (place: number): Person => CUSTOMERS[place] as Person;
  const halfSigned: SentEnvelope[] = [];
  const sendAndSign = async (place: number): Promise<void> => {
    const sent = await envelopes.send(customer(place));
    await envelopes.sign(sent.customer);
    halfSigned.push(sent);
  };
  return {
    26: () => envelopes.send(customer(0), 10), // nobody opens it: it expires
    22: async () => envelopes.decline((await envelopes.send(customer(1))).customer, 'El canon no es el acordado.'),
    19: async () => envelopes.withdraw(await envelopes.send(customer(2)), 'El cliente cambió de inmueble.'),
    13: () => sendAndSign(3),
    9: async () => envelopes.look((await envelopes.send(customer(4))).customer),
    6: () => sendAndSign(5),
    5: () => sendAndSign(6),
    3: () => sendAndSign(7),
    2: () => sendAndSign(8),
    1: () => envelopes.send(customer(9)),
    0: async () => {
      await envelopes.send(customer(10));
      const signed = halfSigned.slice(0, -2);
      for (const { firm } of signed) await envelopes.sign(firm);
      for (const sent of signed) await envelopes.whenSealed(sent);
    },
  };
}
