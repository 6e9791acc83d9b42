/** The script that tenants' pages load ({base_url}/embed/v1.js): one file without imports, for a <script> of either type. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = path.dirname(fileURLToPath(import.meta.url));

/** @returns {Promise<string>} its text */
export async function embedScript() {
  const bundle = await rolldown({
    input: path.join(folder, 'src/embed-script/v1.ts'),
    transform: { target: 'es2020' },
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return output[0].code;
}
