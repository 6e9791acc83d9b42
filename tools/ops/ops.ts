/**
 * npm run ops -- <command>: what the person on call does. docs/guides/on-call.md leads through it; --help lists everything.
 */
import { CommanderError } from 'commander';
import { withOpsContext } from './ops-context.ts';
import { opsProgram } from './program.ts';
import { EXIT, Refused, WrongUse } from './failures.ts';
import { wordsFor } from './words.ts';

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) {
    // Help that was asked for is no mistake; help in place of a command is.
    return error.code === 'commander.helpDisplayed' ? EXIT.fine : EXIT.wrongUse;
  }
  const said = error instanceof Refused || error instanceof WrongUse ? error.message : String((error as Error).stack);
  console.error(`${wordsFor(process.env).failed} ${said}`);
  return error instanceof WrongUse ? EXIT.wrongUse : EXIT.refused;
}

try {
  await opsProgram(withOpsContext).parseAsync(process.argv);
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
