import { Entry } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useRecords } from '../../member/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { CIRCUITS, useCircuit } from '../circuits/use-circuit.ts';
import { useSigningText } from '../text/language.ts';
import { SendMany } from './send-many.tsx';
import { SendOne } from './send-one.tsx';

const route = getRouteApi('/signing/send');

/** A published circuit goes to one person for each role, or to many. */
export function Send() {
  const { words } = useSigningText();
  const { circuit } = route.useSearch();
  return (
    <>
      <PageHead title={words.send.title} lead={words.send.lead} />
      <CircuitChoice chosen={circuit} />
      {circuit !== undefined && <ChosenCircuit key={circuit} id={circuit} />}
    </>
  );
}

function CircuitChoice({ chosen }: { chosen: string | undefined }) {
  const { words } = useSigningText();
  const id = useId();
  const navigate = route.useNavigate();
  const query = useRecords([...CIRCUITS, 'list', { status: 'published' }], ({ signing }, cursor) =>
    signing.GET('/v1/circuits', { params: { query: { cursor, limit: 100, status: 'published' } } }),
  );
  return (
    <Loaded query={query}>
      {(circuits) =>
        circuits.length === 0 ? (
          <div className="empty">
            {words.send.noCircuits} <Link to="/signing/circuits">{words.send.toCircuits}</Link>
          </div>
        ) : (
          <Entry id={id} label={words.send.circuit}>
            {(wiring) => (
              <select
                {...wiring}
                value={chosen ?? ''}
                onChange={(event) => {
                  const { value } = event.target;
                  void navigate({ search: value === '' ? {} : { circuit: value } });
                }}
              >
                <option value="">{words.send.choose}</option>
                {chosen !== undefined && !circuits.some((circuit) => circuit.id === chosen) && (
                  <option value={chosen}>{chosen}</option>
                )}
                {circuits.map((circuit) => (
                  <option key={circuit.id} value={circuit.id}>
                    {`${circuit.name} (${circuit.code})`}
                  </option>
                ))}
              </select>
            )}
          </Entry>
        )
      }
    </Loaded>
  );
}

function ChosenCircuit({ id }: { id: string }) {
  const { words } = useSigningText();
  const query = useCircuit(id);
  const [mode, setMode] = useState<'one' | 'many'>('one');
  const name = useId();
  return (
    <Loaded query={query}>
      {(circuit) => (
        <>
          <fieldset className="modes">
            <legend>{words.send.mode}</legend>
            {(['one', 'many'] as const).map((one) => (
              <div className="tick" key={one}>
                <input
                  type="radio"
                  id={`${name}-${one}`}
                  name={name}
                  checked={mode === one}
                  onChange={() => setMode(one)}
                />
                <label htmlFor={`${name}-${one}`}>{words.send[one]}</label>
              </div>
            ))}
          </fieldset>
          {/* Both stay, so that nothing that was written is lost by looking at the other one. */}
          <div hidden={mode !== 'one'}>
            <SendOne circuit={circuit} />
          </div>
          <div hidden={mode !== 'many'}>
            <SendMany circuit={circuit} />
          </div>
        </>
      )}
    </Loaded>
  );
}
