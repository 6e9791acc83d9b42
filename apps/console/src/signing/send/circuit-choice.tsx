import { Entry } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useAllRecords } from '../../member/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { CIRCUITS } from '../circuits/use-circuit.ts';
import { useSigningText } from '../text/language.ts';

interface CircuitChoiceProps {
  chosen: string | undefined;
  /** It stays as it is for now. */
  waiting?: boolean;
  /** Empty: none. */
  onChosen: (id: string) => void;
}

/** Every published circuit. */
export function CircuitChoice({ chosen, waiting = false, onChosen }: CircuitChoiceProps) {
  const { words } = useSigningText();
  const id = useId();
  const query = useAllRecords([...CIRCUITS, 'list', { status: 'published' }], ({ signing }, cursor) =>
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
                disabled={waiting}
                value={chosen ?? ''}
                onChange={(event) => onChosen(event.target.value)}
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
