interface ShownMail {
  id: number;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  received_at: string;
}
export function listPage(mails: ShownMail[], options: { language: string; to: string }): string;
export function mailPage(mail: ShownMail, options: { language: string }): string;
export function missingPage(options: { language: string }): string;
