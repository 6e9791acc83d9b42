import { Button, State } from '@constancia/web';
import { useEffect, useState } from 'react';
import { useAllRecords } from '../../member/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useSigningText } from '../text/language.ts';
import { chainHolds } from './chain.ts';
import { type EnvelopeRow, ENVELOPES, type TrailEvent } from './use-envelope.ts';

/** Everything that happened, the newest first, and whether it is what was written: this browser computes it. */
export function Trail({ of: { id, status } }: { of: EnvelopeRow }) {
  const { words } = useSigningText();
  const query = useAllRecords([...ENVELOPES, id, 'trail', status], ({ signing }, cursor) =>
    signing.GET('/v1/envelopes/{id}/audit', { params: { path: { id }, query: { cursor, limit: 100 } } }),
  );
  const { data: whole } = query;
  const [holds, setHolds] = useState<boolean | null>(null);
  useEffect(() => {
    setHolds(null);
    if (whole === undefined) return undefined;
    let wanted = true;
    void chainHolds(whole).then((answer) => wanted && setHolds(answer));
    return () => {
      wanted = false;
    };
  }, [whole]);
  const save = (): void =>
    saveFile('trail.json', new Blob([JSON.stringify({ data: whole, next_cursor: null }, null, 2)]));
  return (
    <section>
      <h2>
        {words.trail.title}{' '}
        {holds !== null && (
          <State kind={holds ? 'good' : 'bad'}>{holds ? words.trail.holds : words.trail.broken}</State>
        )}
      </h2>
      <Loaded query={query}>{(loaded) => <TrailEvents events={loaded} />}</Loaded>
      {whole !== undefined && (
        <div className="actions small">
          <Button onPress={save}>{words.trail.save}</Button>
        </div>
      )}
    </section>
  );
}

function TrailEvents({ events }: { events: readonly TrailEvent[] }) {
  const { words, clock } = useSigningText();
  return (
    <ol className="timeline" reversed>
      {events.toReversed().map(({ seq, at, role, type, ip }) => (
        <li key={seq}>
          <time dateTime={at}>{clock(at)}</time> {role !== null && <strong>{role}</strong>} {words.trail.events[type]}
          {ip !== null && <small> · IP {ip}</small>}
        </li>
      ))}
    </ol>
  );
}
