import path from 'node:path';

/**
 * Runs a development server as a program if node was started with its file, which a bundle only contains. Prints one line of JSON when it is
 * ready; SIGTERM and SIGINT close it.
 *
 * @param {string} file its name
 * @param {() => Promise<{ server: { close(): Promise<unknown> }, facts: object }>} start `facts`: what the line contains
 */
export function runDevServer(file, start) {
  if (path.basename(process.argv[1] ?? '') !== file) return;
  start()
    .then(({ server, facts }) => {
      const stop = () => void server.close().finally(() => process.exit());
      process.once('SIGTERM', stop).once('SIGINT', stop);
      console.log(JSON.stringify({ ready: true, ...facts, pid: process.pid }));
    })
    .catch((error) => {
      console.error(error.code === 'EADDRINUSE' ? `Port ${error.port} is taken: choose another one.` : error.message);
      process.exit(1); // a part of it may listen already
    });
}
