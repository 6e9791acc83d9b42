/** Fails when the API documents an operation that no test of the last run has seen succeed. */
import { reportUnusedOperations } from '@constancia/testing/contract-usage';

const unused = reportUnusedOperations();
for (const { app, method, path, operationId } of unused) {
  console.error(`${app}: no test saw ${method} ${path} (${operationId}) succeed`);
}
process.exitCode = unused.length === 0 ? 0 : 1;
