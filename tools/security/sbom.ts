/** npm run sbom: writes the bill of materials of the shipped apps to dist/sbom/constancia.cdx.json (CycloneDX 1.5). */
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '../build/sources.mjs';
import { productionBom } from './production-bom.ts';

const file = path.join(WORKSPACE, 'dist/sbom/constancia.cdx.json');
fs.mkdirSync(path.dirname(file), { recursive: true });
fs.writeFileSync(file, await productionBom());
console.log(`wrote ${path.relative(WORKSPACE, file)}`);
