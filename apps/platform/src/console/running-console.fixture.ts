import { type Mailbox, startMailbox } from '@constancia/dev-servers/mailbox';
import { listenForPages } from '@constancia/http';
import { freePort, type TestDatabase } from '@constancia/testing';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';

export interface RunningConsole {
  platform: RunningPlatform;
  /** Address of the console host. */
  url: string;
  mailbox: Mailbox;
  close(): Promise<void>;
}

/** Starts the platform with its console host and a mailbox, without limits of sign-in. */
export async function runningConsole(
  database: Pick<TestDatabase, 'app' | 'queueUrl'>,
  env: Record<string, string> = {},
): Promise<RunningConsole> {
  const mailbox = await startMailbox({ smtpPort: await freePort() });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const platform = await runningPlatform(database, {
    SMTP_URL: mailbox.smtpUrl,
    CONSOLE_URL: url,
    RATE_LIMIT_SIGN_IN: '1000000',
    RATE_LIMIT_IP: '1000000',
    ...env,
  });
  await listenForPages(platform.app, port);
  const close = async () => {
    await platform.close();
    await mailbox.close();
  };
  return { platform, url, mailbox, close };
}
