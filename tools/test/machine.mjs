/** What tests find on this machine, on one line: Node's version, the programs that they use, files of ../shared. An nx input of every run of tests. */
import fs from 'node:fs';
import path from 'node:path';

const PROGRAMS =
  'redis-server pdftotext pdfsig qpdf mutool openssl curl file chromium promtool pg_dump hatchling'.split(' ');
const found = PROGRAMS.filter((name) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => fs.existsSync(path.join(folder, name))),
);
const shared = path.resolve(import.meta.dirname, '../../..', process.env.SHARED_DIR ?? 'shared');
const folders = process.env.SHARED_DIR !== '' && fs.existsSync(shared) ? fs.readdirSync(shared).sort() : [];
console.log(JSON.stringify([process.version, process.platform, process.arch, found, folders]));
