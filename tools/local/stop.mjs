/** npm run stop: ends the stack that "npm start" began, and what a killed launcher left behind. */
import { dropLock, reapOrphans, runningLauncher } from './pids.mjs';
import { end } from './processes.mjs';

const PATIENCE_MS = 70_000;

const launcher = runningLauncher();
if (launcher) await end(launcher, { patienceMs: PATIENCE_MS });
const left = await reapOrphans();
if (launcher || left.length > 0) {
  dropLock();
  console.log(launcher ? 'Stopped.' : `Stopped what a killed launcher left behind: ${left.join(', ')}.`);
} else {
  console.log('Nothing of this checkout runs.');
}
