import { Command } from 'commander';
import { addArchive } from './commands/archive.ts';
import { addLedgerAndAudit } from './commands/ledger-and-audit.ts';
import { addDeliveries } from './commands/deliveries.ts';
import { addEndpoints } from './commands/endpoints.ts';
import { addGrants } from './commands/grants.ts';
import { addModules } from './commands/modules.ts';
import { addOperatorToken } from './commands/operator-token.ts';
import { addReplays } from './commands/replays.ts';
import { addTenants } from './commands/tenants.ts';
import { addTopups } from './commands/topups.ts';
import { addTrace } from './commands/trace.ts';
import { addLag } from './commands/lag.ts';
import { WrongUse } from './failures.ts';
import type { Run } from './ops-context.ts';
import { wordsFor } from './words.ts';

const AFTER = `
Whom it asks: the local stack (.local/ops.json), or what OPS_URL_PLATFORM, OPS_URL_COMPLIANCE, OPS_URL_SIGNING and OPS_TOKEN say
(or OPS_TOKEN_PLATFORM …, where each module has its own). In a cluster, forward the ports: docs/guides/on-call.md.

Exit codes: 0 fine; 1 refused or failed; 2 wrong use, nothing was done; 3 a verification found a fault; 130 Ctrl-C (a replay goes on).`;

/** The commands of the person on call. Throws CommanderError instead of ending the process. */
export function opsProgram(run: Run): Command {
  const program = new Command('ops')
    .description(
      'What the person on call does: npm run ops -- <command>. Every act is kept in an audit log, with who and why.',
    )
    .option('--json', 'the answer as JSON (npm run -s ops -- …)')
    .option('--operator <name>', 'who you are, where the one token of OPS_TOKEN does not say it (your user name)')
    .showHelpAfterError('(--help after any command lists what it takes)')
    .addHelpText('after', AFTER);
  addTrace(program, run);
  addDeliveries(program, run);
  addReplays(program, run);
  addEndpoints(program, run);
  addLag(program, run);
  addLedgerAndAudit(program, run);
  addArchive(program, run);
  addModules(program, run);
  addTenants(program, run);
  addGrants(program, run);
  addTopups(program, run);
  addOperatorToken(program);
  everyCommand(program, (command) => command.exitOverride());
  program.hook('preAction', (_, { registeredArguments, args }) => {
    const empty = registeredArguments.find((_, nth) => args[nth] === '');
    if (empty) throw new WrongUse(wordsFor(process.env).empty(empty.name()));
  });
  return program;
}

function everyCommand(command: Command, act: (command: Command) => void): void {
  act(command);
  for (const each of command.commands) everyCommand(each, act);
}
