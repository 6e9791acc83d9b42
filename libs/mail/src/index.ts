export { mailAge } from './mail-age.ts';
export { MailModule } from './mail.module.ts';
export { MAIL_ADDRESS, MailUnavailable, Mailer } from './mailer.ts';
export type { Mail } from './mailer.ts';
