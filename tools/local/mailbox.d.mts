export interface ReceivedMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  received_at: string;
}
export interface Mailbox {
  smtpUrl: string;
  url: string;
  smtpPort: number;
  httpPort: number;
  /** Newest first. */
  messages(to?: string): ReceivedMail[];
  close(): Promise<void>;
}
export function startMailbox(options?: {
  smtpPort?: number;
  httpPort?: number;
  host?: string;
  maxMessages?: number;
}): Promise<Mailbox>;
