import { holderOf, isFree } from './processes.mjs';
import { LaunchError } from './launch-error.mjs';

function otherPorts(port) {
  const other = port + 1000 <= 65_000 ? Math.ceil((port + 1000) / 100) * 100 : 3000;
  return `use other ports with "npm start -- --port-base ${other}".`;
}

/** The sentence for a port that somebody else has. */
export function takenPort(port, what) {
  return new LaunchError(`Port ${port} (${what}) is taken${holderOf(port)}: end that program, or ${otherPorts(port)}`);
}

/** Whether browsers and fetch refuse the port, such as 6000 (https://fetch.spec.whatwg.org/#port-blocking). */
async function isBlocked(port) {
  const error = await fetch(`http://127.0.0.1:${port}`).then(
    () => undefined,
    (failure) => failure,
  );
  return error?.cause?.message === 'bad port';
}

/** Looks at every port with a fixed place before anything starts. @throws LaunchError for the first one that cannot be used */
export async function refuseUnusablePorts(ports) {
  const { platform, compliance, signing, sign, console, person } = ports;
  const fixed = { platform, compliance, signing, 'signing pages': sign, console, 'capture pages': person };
  if (!process.env.KMS_ENDPOINT) fixed['development KMS'] = ports.kms;
  if (!process.env.SMTP_URL) Object.assign(fixed, { mailbox: ports.mailbox, 'mail sink': ports.smtp });
  if (!process.env.PAYMENT_PROVIDER_URL) fixed['payment simulator'] = ports.payments;
  for (const [what, port] of Object.entries(fixed)) {
    if (!(await isFree(port))) throw takenPort(port, what);
    if (await isBlocked(port))
      throw new LaunchError(`Port ${port} (${what}) is one that browsers do not open: ${otherPorts(port)}`);
  }
}
