/** What the public signer endpoints answer and take (docs/api/signing.v1.yaml). */

export type Locale = 'es-CO' | 'en';
export type AuthMethod = 'otp_email' | 'access_code';
export type FieldType = 'signature' | 'initials' | 'name' | 'date' | 'text' | 'checkbox';

/** A place on the document that this signer fills. Points from the lower-left corner of the page as it is shown. */
export interface SignField {
  key: string;
  type: FieldType;
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
  required: boolean;
  label?: string | null;
}

export interface SignState {
  envelope: {
    id: string;
    public_id?: string;
    subject: string | null;
    message: string | null;
    tenant: { display_name: string };
    status: 'sent' | 'in_progress' | 'sealing' | 'sealed' | 'declined' | 'voided' | 'expired' | 'failed';
    locale?: Locale;
    expires_at: string;
  };
  signer: {
    role: string;
    name: string | null;
    email_masked: string;
    status: 'waiting' | 'pending' | 'viewed' | 'consented' | 'authenticated' | 'signed' | 'declined';
    signed_at?: string | null;
  };
  fields: SignField[];
  auth: { required: AuthMethod[]; completed: AuthMethod[] };
  consent: { version: string; locale: Locale; text: string; sha256: string };
  next: 'wait' | 'consent' | 'otp' | 'access_code' | 'sign' | 'done';
}

/** A code on its way. Both are times. */
export interface OtpSent {
  destination_masked: string;
  expires_at: string;
  resend_after: string;
}

export interface SignBody {
  signature: { type: 'typed'; text: string } | { type: 'drawn'; image: string };
  fields: Record<string, string | boolean>;
  intent: true;
}
