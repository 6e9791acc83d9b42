import type { components } from '@constancia/sdk/generated/platform';
import { Facts } from '@constancia/web';
import { auditFieldName, auditValue, type AuditWords } from './audit-values.ts';
import { useTeamText } from './text/language.ts';

type Entry = components['schemas']['AuditEntryView'];
type Values = Readonly<Record<string, unknown>>;

/** What an entry says beyond its sentence: what changed, of what, from where, and its place in the chain. */
export function AuditDetails({ of: entry }: { of: Entry }) {
  const auditWords = useAuditWords();
  const { words } = useTeamText();
  const changes = changesOf(entry.before ?? {}, entry.after ?? {});
  return (
    <details>
      <summary>{words.audit.details}</summary>
      <Facts
        pairs={[
          ...changes.map(
            ([name, before, after]) =>
              [
                auditFieldName(name, auditWords),
                <span key={name}>
                  {before !== undefined && <del>{auditValue(name, before, auditWords)}</del>}{' '}
                  {before !== undefined && after !== undefined && '→'}{' '}
                  {after !== undefined && <ins>{auditValue(name, after, auditWords)}</ins>}
                </span>,
              ] as const,
          ),
          [words.audit.object, <code key="object">{entry.object.id ?? entry.object.kind}</code>],
          [words.audit.module, words.audit.modules[entry.module]],
          [words.audit.action, <code key="action">{entry.action}</code>],
          [words.audit.origin, entry.origin],
          [words.audit.hash, <code key="hash">{entry.hash}</code>],
          [words.audit.previous, <code key="previous">{entry.prev_hash}</code>],
        ]}
      />
    </details>
  );
}

/** With the names that these pages have for states, languages and modules elsewhere. */
function useAuditWords(): AuditWords {
  const { words, text, ...reader } = useTeamText();
  const { audit, members } = words;
  const values = { ...audit.values, status: members.statuses, locale: text.languages, modules: audit.modules };
  return { ...audit, ...reader, values, none: text.none };
}

/** Name, value before and value after of everything that differs. */
function changesOf(before: Values, after: Values): [name: string, before: unknown, after: unknown][] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => [name, before[name], after[name]]);
}
