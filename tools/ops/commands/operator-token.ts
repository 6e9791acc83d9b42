import { createHash, randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { OPS_ROLES, type OpsRole } from '@constancia/telemetry';

/** Checked here, because a process refuses a whole file for one unknown role. */
function rolesIn(text: string): OpsRole[] {
  const roles = [...new Set(text.split(',').map((role) => role.trim()))];
  const unknown = roles.filter((role) => !OPS_ROLES.some((known) => known === role));
  if (unknown.length > 0) throw new InvalidArgumentError(`Roles are ${OPS_ROLES.join(', ')}, separated by commas.`);
  return roles as OpsRole[];
}

function newToken(name: string, { roles }: { roles: OpsRole[] }): void {
  const token = randomBytes(32).toString('base64url');
  const sha256 = createHash('sha256').update(token).digest('hex');
  console.log(`token ${token}`);
  console.log(JSON.stringify({ name, sha256, roles }));
}

/** token. */
export function addOperatorToken(program: Command): void {
  program
    .command('token')
    .description('A new token for an operator, shown once, and its entry in OPS_TOKENS_FILE. Asks no process.')
    .argument('<name>', 'whose')
    .option('--roles <roles>', 'what they may do', rolesIn, [...OPS_ROLES])
    .action(newToken);
}
