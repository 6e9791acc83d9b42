import { Button, State } from '@constancia/web';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useAllRecords } from '../../member/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useSigningText } from '../text/language.ts';
import { chainHolds } from './chain.ts';
import { sentenceOf, whoOf } from './trail-words.ts';
import { type EnvelopeRow, type EnvelopeSigner, ENVELOPES, type TrailEvent } from './use-envelope.ts';

/** Everything that happened, the newest first, and whether it is what was written: this browser computes it. */
export function Trail({ of: envelope }: { of: EnvelopeRow }) {
  const { id, signers } = envelope;
  const { words } = useSigningText();
  const query = useAllRecords([...ENVELOPES, id, 'trail'], ({ signing }, cursor) =>
    signing.GET('/v1/envelopes/{id}/audit', { params: { path: { id }, query: { cursor, limit: 100 } } }),
  );
  useReloadOnChange(envelope);
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
      <Loaded query={query}>{(loaded) => <TrailEvents events={loaded} signers={signers} />}</Loaded>
      {whole !== undefined && (
        <div className="actions small">
          <Button onPress={save}>{words.trail.save}</Button>
        </div>
      )}
    </section>
  );
}

/** The envelope is asked for again while it is open: when it has changed, so has its trail. */
function useReloadOnChange(envelope: EnvelopeRow): void {
  const queries = useQueryClient();
  const { id } = envelope;
  const content = JSON.stringify(envelope);
  const last = useRef(content);
  useEffect(() => {
    if (last.current === content) return;
    last.current = content;
    void queries.invalidateQueries({ queryKey: [...ENVELOPES, id, 'trail'] });
  }, [queries, id, content]);
}

interface TrailEventsProps {
  events: readonly TrailEvent[];
  signers: readonly EnvelopeSigner[];
}

function TrailEvents({ events, signers }: TrailEventsProps) {
  const { words, clock, signerRole } = useSigningText();
  return (
    <ol className="timeline" reversed>
      {events.toReversed().map((event) => {
        const { seq, at, ip } = event;
        const who = whoOf(event, signers, signerRole);
        return (
          <li key={seq}>
            <time dateTime={at}>{clock(at)}</time> {who !== null && <strong>{who}</strong>}{' '}
            {sentenceOf(event, words.trail)}
            {ip !== null && <small> · IP {ip}</small>}
          </li>
        );
      })}
    </ol>
  );
}
