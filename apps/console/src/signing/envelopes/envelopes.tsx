import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../../member/member.tsx';
import { useAllRecords, useRecords } from '../../member/queries.ts';
import { Filter } from '../../parts/filter.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { WAITING, WAITING_STATES } from '../../parts/waiting-envelopes.ts';
import { CIRCUITS } from '../circuits/use-circuit.ts';
import { useSigningText } from '../text/language.ts';
import { EnvelopeStatus } from './envelope-status.tsx';
import { type EnvelopeRow, ENVELOPES } from './use-envelope.ts';

const route = getRouteApi('/signing/envelopes');

/** Envelopes, the newest first, with a filter in the address. */
export function Envelopes() {
  const { text, words, number, clock } = useSigningText();
  const may = useMay();
  const { lang: _, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const { status, circuit_id } = filter;
  const states = status === WAITING ? WAITING_STATES : [status as EnvelopeRow['status']];
  const query = useRecords([...ENVELOPES, 'list', filter], ({ signing }, cursor) =>
    signing.GET('/v1/envelopes', {
      params: { query: { cursor, limit: 100, status: status === undefined ? undefined : [...states], circuit_id } },
    }),
  );
  const circuits = useCircuitChoices(circuit_id);
  return (
    <>
      <PageHead title={words.envelopes.title} lead={words.envelopes.lead}>
        <Link to="/signing/batches" className="button secondary">
          {words.batch.list}
        </Link>
        {may('signing:write') && (
          <Link to="/signing/send" className="button primary">
            {words.envelopes.send}
          </Link>
        )}
      </PageHead>
      <Filter
        values={filter}
        onValues={(values) => void navigate({ search: values })}
        fields={[
          {
            name: 'status',
            label: words.envelopes.status,
            options: [['', text.all], [WAITING, words.envelopes.waiting], ...Object.entries(words.envelopes.statuses)],
          },
          { name: 'circuit_id', label: words.envelopes.circuit, options: [['', text.all], ...circuits] },
        ]}
      />
      <RecordTable
        caption={words.envelopes.title}
        query={query}
        keyOf={({ id }) => id}
        empty={Object.keys(filter).length === 0 ? words.envelopes.empty : words.envelopes.noMatch}
        columns={[
          {
            title: words.envelopes.subject,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: ({ id, subject }) => (
              <Link to="/signing/envelopes/$id" params={{ id }}>
                {subject ?? words.envelopes.untitled}
              </Link>
            ),
          },
          {
            title: words.envelopes.to,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: ({ signers }) => signers.map(({ name, email }) => name ?? email).join(', '),
          },
          { title: words.envelopes.status, of: (envelope) => <EnvelopeStatus of={envelope} /> },
          {
            title: words.envelopes.signed,
            width: '6rem',
            of: ({ signers }) =>
              words.envelopes.progress(
                number(signers.filter((signer) => signer.status === 'signed').length),
                number(signers.length),
              ),
          },
          { title: words.envelopes.sentAt, of: ({ created_at: at }) => clock(at) },
          { title: words.envelopes.expires, of: ({ expires_at: at }) => clock(at) },
        ]}
      />
    </>
  );
}

/** Every version of every circuit by its name; until they are there, the one that the address names. */
function useCircuitChoices(chosen: string | undefined): [string, string][] {
  const { words, number } = useSigningText();
  const { data = [] } = useAllRecords([...CIRCUITS, 'list', {}], ({ signing }, cursor) =>
    signing.GET('/v1/circuits', { params: { query: { cursor, limit: 100 } } }),
  );
  const named = data.map(({ id, name, version }): [string, string] => [
    id,
    `${name} (${words.circuits.version.toLowerCase()} ${number(version)})`,
  ]);
  const isListed = chosen === undefined || data.some(({ id }) => id === chosen);
  return isListed ? named : [...named, [chosen, chosen]];
}
