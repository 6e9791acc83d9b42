import { type Mailbox, type ReceivedMail, startMailbox } from '@constancia/dev-servers/mailbox';
import { eventually, freePort, testDatabase, type TestDatabase } from '@constancia/testing';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';

/** The platform with a mailbox that receives its mails. */
export interface MailingPlatform {
  database: TestDatabase;
  platform: RunningPlatform;
  mailbox: Mailbox;
  /** The mails to an address, once there are so many. */
  mailsTo(address: string, number?: number): Promise<ReceivedMail[]>;
  close(): Promise<void>;
}

export async function mailingPlatform(): Promise<MailingPlatform> {
  const database = await testDatabase();
  const mailbox = await startMailbox({ smtpPort: await freePort() });
  const platform = await runningPlatform(database, { SMTP_URL: mailbox.smtpUrl });
  const mailsTo = (address: string, number = 1): Promise<ReceivedMail[]> =>
    eventually(() => {
      const mails = mailbox.messages(address);
      if (mails.length < number) throw new Error('not all mails are there yet');
      return mails;
    }, 10_000);
  const close = async () => {
    await platform.close();
    await mailbox.close();
    await database.drop();
  };
  return { database, platform, mailbox, mailsTo, close };
}
