import { ConfigInvalid } from './load.ts';

/**
 * Runs a program. What is wrong with its configuration is said one line each, with nothing of Node's own; whatever it fails
 * with, it ends with code 1.
 */
export async function runProgram(program: () => Promise<void>): Promise<void> {
  try {
    await program();
  } catch (error) {
    console.error(error instanceof ConfigInvalid ? error.message : error);
    process.exit(1);
  }
}
