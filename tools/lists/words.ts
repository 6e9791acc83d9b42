import type { ImportOutcome } from '../../apps/compliance/src/lists/list-imports.ts';

/** What the command says, in English and in Spanish. */
export interface Words {
  activated(outcome: Extract<ImportOutcome, { outcome: 'activated' }>, ms: number): string;
  unchanged(list: string, version: string): string;
  refused(list: string, detail: string, kept: string | null): string;
  warning(code: string, count: number, examples: string[]): string;
  none: string;
  header: string[];
  fictional: string;
  noDatabase: string;
  failed: string;
}

const number = (locale: string) => (value: number) => value.toLocaleString(locale);
const en = number('en');
const es = number('es-CO');

const EN: Words = {
  activated: ({ list, version, size, names, aliases, changes, publishedAt }, ms) =>
    `${list} ${version} is active: ${en(size.entries)} entries, ${en(names)} names (${en(aliases)} of them aliases)` +
    `${publishedAt ? `, published ${publishedAt.slice(0, 10)}` : ''}.\n` +
    `Added ${en(changes.added)}, changed ${en(changes.changed)}, removed ${en(changes.removed)}. ${(ms / 1000).toFixed(1)} s.`,
  unchanged: (list, version) =>
    `${list} ${version} is this very file already: nothing changed. Its age counts from now on.`,
  refused: (list, detail, kept) =>
    `${list} was not imported. ${detail}\n${kept === null ? 'There is no active version.' : `Version ${kept} stays active.`}`,
  warning: (code, count, examples) => `  ${code}: ${en(count)} (for example ${examples.join(' | ')})`,
  none: 'No list was imported yet.',
  header: ['list', 'version', 'entries', 'published', 'imported', 'SHA-256', ''],
  fictional: 'fictional, for the sandbox',
  noDatabase:
    'There is no database: start the stack (npm start), or set COMPLIANCE_DATABASE_URL to the address of the role compliance_app.',
  failed: 'The list could not be imported:',
};

const ES: Words = {
  activated: ({ list, version, size, names, aliases, changes, publishedAt }, ms) =>
    `${list} ${version} está activa: ${es(size.entries)} registros, ${es(names)} nombres (${es(aliases)} de ellos alias)` +
    `${publishedAt ? `, publicada el ${publishedAt.slice(0, 10)}` : ''}.\n` +
    `Nuevos ${es(changes.added)}, cambiados ${es(changes.changed)}, retirados ${es(changes.removed)}. ${(ms / 1000).toFixed(1)} s.`,
  unchanged: (list, version) =>
    `${list} ${version} ya es este mismo archivo: nada cambió. Su antigüedad se cuenta desde ahora.`,
  refused: (list, detail, kept) =>
    `${list} no se importó. ${detail}\n${kept === null ? 'No hay versión activa.' : `La versión ${kept} sigue activa.`}`,
  warning: (code, count, examples) => `  ${code}: ${es(count)} (por ejemplo ${examples.join(' | ')})`,
  none: 'Aún no se ha importado ninguna lista.',
  header: ['lista', 'versión', 'registros', 'publicada', 'importada', 'SHA-256', ''],
  fictional: 'ficticia, para pruebas',
  noDatabase:
    'No hay base de datos: inicie el sistema (npm start), o ponga en COMPLIANCE_DATABASE_URL la dirección del rol compliance_app.',
  failed: 'La lista no se pudo importar:',
};

/** By the language of the terminal. */
export function wordsFor(env: NodeJS.ProcessEnv): Words {
  return /^es/i.test(env.LC_ALL || env.LC_MESSAGES || env.LANG || '') ? ES : EN;
}
