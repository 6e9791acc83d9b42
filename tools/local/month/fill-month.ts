/** Fills the month that standard input orders (npm run demo -- --console). */
import { text } from 'node:stream/consumers';
import { fillMonth, type Order } from './month.ts';

try {
  await fillMonth(JSON.parse(await text(process.stdin)) as Order);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
