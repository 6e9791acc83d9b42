import type { components } from '@constancia/sdk/generated/signing';

/** What the public signer endpoints answer and take, as docs/api/signing.v1.yaml says. */
type Schemas = components['schemas'];

export type SignState = Schemas['SignState'];
/** A place on the document that this signer fills. Points from the lower-left corner of the page as it is shown. */
export type SignField = Schemas['OwnFieldView'];
export type OtpSent = Schemas['SentOtpView'];
export type OtpChannel = Schemas['OtpChannelView'];
export type Locale = Schemas['EnvelopeLocale'];
export type AuthMethod = Schemas['AuthMethod'];
export type IdentityCheck = Schemas['IdentityCheckView'];
export type IdentityDocument = Schemas['StartIdentityBody'];
export type FieldType = Schemas['FieldType'];

/** The service takes more; this is what the page sends. */
export interface SignBody {
  signature: { type: 'typed'; text: string } | { type: 'drawn'; image: string };
  fields: Record<string, string | boolean>;
  intent: true;
}
