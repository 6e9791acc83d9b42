import { eventually, type TestStack } from '@constancia/testing';

/** A mail as a person finds it. */
export type Mail = ReturnType<TestStack['mailbox']['messages']>[number];

/** Waits until the newest mail to this address matches, and answers it. */
export function mailTo(stack: TestStack, address: string, matching: RegExp, timeoutMs = 20_000): Promise<Mail> {
  return eventually(
    () => {
      const mail = stack.mailbox.messages(address).find(({ text }) => matching.test(text));
      if (!mail) throw new Error(`no mail to ${address} that matches ${String(matching)}`);
      return mail;
    },
    timeoutMs,
    100,
  );
}

/** The signer's link in a mail: 43 characters of base64url after the signers' host. */
export function linkIn(stack: TestStack, mail: Mail): string {
  const link = new RegExp(`${stack.signUrl.replaceAll('.', '\\.')}/([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])`).exec(
    mail.text,
  );
  if (!link) throw new Error(`no link in: ${mail.text}`);
  return link[0];
}

export const tokenOf = (link: string): string => link.slice(-43);

/** The six digits of a code. */
export function codeIn(mail: Mail): string {
  const code = /(?<![\w/-])(\d{3}) ?(\d{3})(?![\w-])/.exec(mail.text);
  if (!code) throw new Error(`no code in: ${mail.text}`);
  return `${code[1]}${code[2]}`;
}

/** A link with a token in it. */
export const INVITATION = /\/[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/;
export const CODE = /(?<![\w/-])\d{3} ?\d{3}(?![\w-])/;
