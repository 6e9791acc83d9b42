import { type AwsCredentials, awsSignature } from './aws-signature.ts';
import { type JsonAnswer, postJson } from './post-json.ts';
import { smsText } from './sms-text.ts';
import { type CodeMessage, type CodeSender, TextMessageUnavailable } from './text-messages.ts';

export interface SmsOptions {
  region: string;
  /** Left out: AWS. */
  endpoint?: string;
  /** A phone number, sender id, pool, or its ARN. */
  originationIdentity: string;
  configurationSet?: string;
  credentials: () => Promise<AwsCredentials>;
}

const SERVICE = 'sms-voice';
const TARGET = 'PinpointSMSVoiceV2.SendTextMessage';
/** What SendTextMessage takes as the shortest life of a message. */
const SHORTEST_SECONDS = 5;
/** Errors after which the same message may be taken; besides these any answer of 5xx. */
const RETRYABLE = new Set(['ThrottlingException', 'InternalServerException']);

/** AWS End User Messaging SMS: SendTextMessage of the API PinpointSMSVoiceV2 (AWS JSON 1.0, Signature Version 4). */
export class SmsSender implements CodeSender {
  private readonly endpoint: URL;

  constructor(private readonly options: SmsOptions) {
    this.endpoint = new URL(options.endpoint ?? `https://${SERVICE}.${options.region}.amazonaws.com`);
  }

  async send(message: CodeMessage): Promise<void> {
    const { region, originationIdentity, configurationSet } = this.options;
    const seconds = Math.floor((message.expiresAt.getTime() - Date.now()) / 1_000);
    const body = JSON.stringify({
      DestinationPhoneNumber: message.to,
      OriginationIdentity: originationIdentity,
      MessageBody: smsText(message),
      MessageType: 'TRANSACTIONAL',
      TimeToLive: Math.max(seconds, SHORTEST_SECONDS),
      ...(configurationSet && { ConfigurationSetName: configurationSet }),
    });
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': TARGET };
    const request = { host: this.endpoint.host, region, service: SERVICE, headers, body };
    const signature = awsSignature(request, await this.credentials());
    const answer = await postJson(new URL('/', this.endpoint).href, { ...headers, ...signature }, body);
    if (answer.status !== 200) throw refused(answer);
  }

  private async credentials(): Promise<AwsCredentials> {
    try {
      return await this.options.credentials();
    } catch {
      throw new TextMessageUnavailable('no_credentials', true);
    }
  }
}

/** `com.amazonaws.…#ThrottlingException`, with or without what is before the name and after a colon. */
function refused({ status, headers, body }: JsonAnswer): TextMessageUnavailable {
  const type = String(body.__type ?? headers.get('x-amzn-errortype') ?? `HTTP ${status}`);
  const name = type.replace(/^.*#/, '').replace(/:.*$/, '');
  const detail = typeof body.Reason === 'string' ? ` ${body.Reason}` : '';
  return new TextMessageUnavailable(`${name}${detail}`.slice(0, 120), status >= 500 || RETRYABLE.has(name));
}
