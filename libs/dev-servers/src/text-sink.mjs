/**
 * Serves the APIs of two message services: SendTextMessage of AWS End User Messaging (AWS JSON 1.0) and the messages of the WhatsApp
 * Cloud API. Keeps the last messages; nothing is ever sent on. Checks the format of each request; a signature of AWS is not verified.
 */
import { randomUUID } from 'node:crypto';

const MAX_BODY = 64 * 1024;
const MAX_TEXTS = 500;
const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=[^/\s]+\/\d{8}\/[a-z0-9-]+\/sms-voice\/aws4_request, SignedHeaders=content-type;host;x-amz-date(;x-amz-security-token)?;x-amz-target, Signature=[0-9a-f]{64}$/;
const SMS_MEMBERS = new Set(
  'DestinationPhoneNumber OriginationIdentity MessageBody MessageType TimeToLive ConfigurationSetName'.split(' '),
);

/** How the services refuse a message, when asked to. */
export const TEXT_FAULTS = /** @type {const} */ (['throttled', 'invalid', 'opted_out', 'unavailable']);

/** @type {Record<string, [number, string, object]>} */
const SMS_FAULTS = {
  throttled: [400, 'ThrottlingException', {}],
  invalid: [400, 'ValidationException', { Reason: 'INVALID_PARAMETER' }],
  opted_out: [400, 'ConflictException', { Reason: 'DESTINATION_PHONE_NUMBER_OPTED_OUT' }],
  unavailable: [500, 'InternalServerException', {}],
};
/** @type {Record<string, [number, number, string]>} */
const WHATSAPP_FAULTS = {
  throttled: [400, 130429, '(#130429) Rate limit hit'],
  invalid: [400, 131026, '(#131026) Message undeliverable'],
  opted_out: [400, 131050, '(#131050) User has stopped receiving messages'],
  unavailable: [500, 131000, '(#131000) Something went wrong'],
};

class Refused extends Error {
  constructor(status, body, headers = {}) {
    super('refused');
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

async function bodyOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Refused(413, {});
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return null;
  }
}

function smsRefused([status, type, members]) {
  const body = {
    __type: `com.amazonaws.pinpointsmsvoicev2#${type}`,
    Message: 'as the sink was asked to answer',
    ...members,
  };
  return new Refused(status, body, { 'x-amzn-errortype': type });
}

function whatsAppRefused([status, code, message]) {
  return new Refused(status, { error: { message, type: 'OAuthException', code, fbtrace_id: randomUUID() } });
}

function smsOf(request, body) {
  if (!SIGNED.test(request.headers.authorization ?? '')) throw smsRefused([403, 'AccessDeniedException', {}]);
  const { DestinationPhoneNumber: to, OriginationIdentity: from, MessageBody: text, TimeToLive: life } = body ?? {};
  const isValid =
    /^\+[1-9]\d{7,14}$/.test(to) && from && typeof text === 'string' && text.length > 0 && text.length <= 1600 &&
    Number.isInteger(life) && life >= 5 && life <= 259_200 && body.MessageType === 'TRANSACTIONAL' &&
    Object.keys(body).every((member) => SMS_MEMBERS.has(member)); // prettier-ignore
  if (!isValid) throw smsRefused(SMS_FAULTS.invalid);
  return { channel: 'sms', to, from, text };
}

/** The code stands in the body and in the button that copies it. */
function whatsAppOf(request, from, body) {
  if (!/^Bearer \S+$/.test(request.headers.authorization ?? '')) {
    throw whatsAppRefused([401, 190, 'Invalid OAuth access token']);
  }
  const { messaging_product, recipient_type, to, type, template } = body ?? {};
  const [text, button, ...others] = template?.components ?? [];
  const code = text?.parameters?.[0]?.text;
  const isValid =
    messaging_product === 'whatsapp' && recipient_type === 'individual' && /^[1-9]\d{7,14}$/.test(to) &&
    type === 'template' && template.name && template.language?.code && others.length === 0 &&
    text?.type === 'body' && text.parameters.length === 1 && /^.{1,15}$/.test(code) &&
    button?.type === 'button' && button.sub_type === 'url' && button.index === '0' && button.parameters?.[0]?.text === code; // prettier-ignore
  if (!isValid) throw whatsAppRefused([400, 100, '(#100) Invalid parameter']);
  return { channel: 'whatsapp', to: `+${to}`, from, text: `${code} (${template.name}, ${template.language.code})` };
}

/** @typedef {{ channel: 'sms' | 'whatsapp', to: string, text: string, received_at: string }} ReceivedText */

/** The last texts, newest first, and the endpoints that take them. */
export class TextSink {
  texts = [];
  taken = 0;
  /** @type {(typeof TEXT_FAULTS)[number][]} */
  faults = [];

  /** Answers a request to send a message. False for every other request. */
  async handle(request, response, url) {
    const whatsApp = /^\/v\d+\.\d+\/(\d+)\/messages$/.exec(url.pathname);
    const isSms = url.pathname === '/' && request.headers['x-amz-target'] !== undefined;
    if (request.method !== 'POST' || (!whatsApp && !isSms)) return false;
    const answer = (status, body, headers = {}) => {
      const type = isSms ? 'application/x-amz-json-1.0' : 'application/json';
      response.writeHead(status, { 'content-type': type, ...headers });
      response.end(JSON.stringify(body));
    };
    try {
      const body = await bodyOf(request);
      answer(200, whatsApp ? this.#whatsApp(request, whatsApp[1], body) : this.#sms(request, body));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      answer(error.status, error.body, error.headers);
    }
    return true;
  }

  /** Those to one number; all of them without one. */
  to(number) {
    const wanted = number?.trim();
    return wanted ? this.texts.filter(({ to }) => to === wanted) : this.texts;
  }

  clear() {
    this.texts = [];
  }

  #sms(request, body) {
    if (request.headers['x-amz-target'] !== 'PinpointSMSVoiceV2.SendTextMessage') {
      throw smsRefused([400, 'UnknownOperationException', {}]);
    }
    const text = smsOf(request, body);
    const fault = this.faults.shift();
    if (fault) throw smsRefused(SMS_FAULTS[fault]);
    this.#put(text);
    return { MessageId: randomUUID() };
  }

  #whatsApp(request, from, body) {
    const text = whatsAppOf(request, from, body);
    const fault = this.faults.shift();
    if (fault) throw whatsAppRefused(WHATSAPP_FAULTS[fault]);
    this.#put(text);
    const contact = { input: body.to, wa_id: body.to };
    return { messaging_product: 'whatsapp', contacts: [contact], messages: [{ id: `wamid.${randomUUID()}` }] };
  }

  #put(text) {
    this.taken += 1;
    this.texts.unshift({ ...text, id: this.taken, received_at: new Date().toISOString() });
    if (this.texts.length > MAX_TEXTS) this.texts.pop();
  }
}
