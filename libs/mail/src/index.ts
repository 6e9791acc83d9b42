export { mailAge } from './mail-age.ts';
export { mailAccent, mailLogo } from './mail-brand.ts';
export type { MailBrand } from './mail-brand.ts';
export { MailModule } from './mail.module.ts';
export { MAIL_ADDRESS, MailUnavailable, Mailer } from './mailer.ts';
export type { Mail } from './mailer.ts';
export { SignInCode } from './sign-in-code.entity.ts';
export { signInCodeFunctions, signInCodeTable } from './sign-in-codes-schema.ts';
export { WaitingMails } from './waiting-mails.ts';
