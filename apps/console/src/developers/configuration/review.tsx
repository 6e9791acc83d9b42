import { Facts, Notice, State, Table } from '@constancia/web';
import { useDeveloperText } from '../text/language.ts';
import type { ImportAnswer, ImportedChange } from './hosts.ts';

const KINDS = { create: 'good', update: 'good', unchanged: 'good', waiting: 'wait', conflict: 'bad' } as const;

/** What an import does, or did, and who signed the archive. */
export function Review({ answers }: { answers: readonly ImportAnswer[] }) {
  const { words, number } = useDeveloperText();
  const { configuration } = words;
  const changes = answers.flatMap((answer) => answer.changes);
  const shown = changes.filter(({ action }) => action !== 'unchanged');
  const secrets = changes.filter(({ secret }) => secret !== undefined);
  const same = changes.length - shown.length;
  return (
    <>
      <Signers of={answers} />
      <p role="status">
        {shown.length === 0 ? configuration.nothing : configuration.found(shown.length)}{' '}
        {same > 0 && configuration.same(same, number(same))}
      </p>
      {secrets.length > 0 && (
        <>
          <Notice tone="warning">{configuration.secrets}</Notice>
          <Facts
            pairs={secrets.map(({ file, secret }) => [
              file,
              <code key={file} className="columns">
                {secret}
              </code>,
            ])}
          />
        </>
      )}
      {shown.length > 0 && (
        <Table
          caption={configuration.changes}
          rows={shown}
          keyOf={({ file }) => file}
          columns={[
            { title: configuration.object, wide: true, of: ({ file }) => <code>{file}</code> },
            {
              title: configuration.action,
              of: ({ action }) => <State kind={KINDS[action]}>{configuration.actions[action]}</State>,
            },
            { title: configuration.difference, wide: true, of: (change) => <Differences of={change} /> },
          ]}
        />
      )}
    </>
  );
}

/** Every host of a deployment signs with the same key: it is shown once. */
function Signers({ of: answers }: { of: readonly ImportAnswer[] }) {
  const { words, clock } = useDeveloperText();
  const { configuration } = words;
  const signers = new Map(answers.map(({ signed_by }) => [`${signed_by.key_id} ${signed_by.tenant}`, signed_by]));
  return [...signers].map(([id, { key, key_id, issuer, tenant, exported_at }]) => (
    <div key={id}>
      {key === 'unknown' && <Notice tone="warning">{configuration.unknownKey}</Notice>}
      <Facts
        pairs={[
          [configuration.tenant, tenant],
          [configuration.issuer, issuer],
          [configuration.exportedAt, clock(exported_at)],
          [
            configuration.key,
            <code key="key" className="columns">
              {key_id}
            </code>,
          ],
          [configuration.trust, configuration.keys[key]],
        ]}
      />
    </div>
  ));
}

function Differences({ of: { detail, differences, references } }: { of: ImportedChange }) {
  const { words } = useDeveloperText();
  const { configuration } = words;
  const missing = references.filter(({ in_archive }) => !in_archive);
  return (
    <ul className="links">
      {detail !== null && <li lang="en">{detail}</li>}
      {missing.map(({ pointer, file }) => (
        <li key={pointer}>{configuration.missing(file)}</li>
      ))}
      {differences.map(({ pointer, before, after }) => (
        <li key={pointer}>
          <code>{pointer}</code>: <code>{before ?? configuration.none}</code> →{' '}
          <code>{after ?? configuration.none}</code>
        </li>
      ))}
    </ul>
  );
}
