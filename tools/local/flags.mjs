import { LaunchError } from './launch-error.mjs';

export const USAGE = `Usage: npm start -- [flags]

  --detach         return once everything is ready; "npm run stop" ends it
  --check          run a smoke test against the stack, stop what was started, exit 0 or 1
  --fresh          begin with empty data
  --port-base N    use N, N+1, ... instead of 3000, 3001, ... (1024 to 65000)
  --help           this text

Variables that replace an embedded part: DATABASE_URL (a superuser), REDIS_URL, KMS_ENDPOINT, SMTP_URL, S3_BUCKET,
PAYMENT_PROVIDER_URL.
Every other variable reaches the apps as it is (docs/guides/local-stack.md).`;

/**
 * Reads the launcher's flags.
 * @param {string[]} args
 * @returns {{ detach: boolean, check: boolean, fresh: boolean, help: boolean, portBase: number | null }} portBase null: not given
 * @throws LaunchError with the usage, exit code 2
 */
export function readFlags(args) {
  const flags = { detach: false, check: false, fresh: false, help: false, portBase: null };
  const wrong = (what) => new LaunchError(`${what}\n\n${USAGE}`, { exitCode: 2 });
  for (let index = 0; index < args.length; index++) {
    const [name, inline] = args[index].split(/=(.*)/s);
    if (['--detach', '--check', '--fresh', '--help'].includes(name) && inline === undefined) {
      flags[name.slice(2)] = true;
    } else if (name === '--port-base') {
      const text = inline ?? args[++index] ?? '';
      if (!/^\d{4,5}$/.test(text) || Number(text) < 1024 || Number(text) > 65_000) {
        throw wrong(`--port-base needs a port from 1024 to 65000, not "${text}".`);
      }
      flags.portBase = Number(text);
    } else {
      throw wrong(`There is no flag "${args[index]}".`);
    }
  }
  if (flags.detach && flags.check) throw wrong('--check ends by itself: use it without --detach.');
  return flags;
}
