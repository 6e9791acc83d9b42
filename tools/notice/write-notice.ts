/** node tools/run.mjs tools/notice/write-notice.ts: renews the list of packages in NOTICE, after `npm run build`. */
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '../build/sources.mjs';
import { renewed } from './bundled-packages.ts';

const file = path.join(WORKSPACE, 'NOTICE');
fs.writeFileSync(file, renewed(fs.readFileSync(file, 'utf8')));
