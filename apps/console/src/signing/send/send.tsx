import { Button, Notice } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import type { CircuitRow } from '../circuits/circuit-fields.ts';
import { NewCircuitDialog } from '../circuits/new-circuit-dialog.tsx';
import { useCircuit } from '../circuits/use-circuit.ts';
import { useSigningText } from '../text/language.ts';
import { CircuitChoice } from './circuit-choice.tsx';
import { SendMany } from './send-many.tsx';
import { SendOne } from './send-one.tsx';

const route = getRouteApi('/signing/send');

/** A published circuit goes to one person for each role, or to many. */
export function Send() {
  const { text, words } = useSigningText();
  const { circuit } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const [running, setRunning] = useState(false);
  const [creating, setCreating] = useState(false);
  return (
    <>
      <PageHead title={words.send.title} lead={words.send.lead}>
        {may('signing:write') && (
          <Button waiting={running} onPress={() => setCreating(true)}>
            {words.send.newCircuit}
          </Button>
        )}
      </PageHead>
      {may('signing:write') ? (
        <>
          <p className="help">{words.send.circuitExplained}</p>
          <CircuitChoice
            chosen={circuit}
            waiting={running}
            onChosen={(id) => void navigate({ search: id === '' ? {} : { circuit: id } })}
          />
          {circuit !== undefined && <ChosenCircuit key={circuit} id={circuit} onRunning={setRunning} />}
        </>
      ) : (
        <Notice tone="news">{text.problems.forbidden}</Notice>
      )}
      {creating && <NewCircuitDialog onClose={() => setCreating(false)} />}
    </>
  );
}

interface ChosenCircuitProps {
  id: string;
  onRunning: (running: boolean) => void;
}

function ChosenCircuit({ id, onRunning }: ChosenCircuitProps) {
  const query = useCircuit(id);
  return <Loaded query={query}>{(circuit) => <Recipients circuit={circuit} onRunning={onRunning} />}</Loaded>;
}

interface RecipientsProps {
  circuit: CircuitRow;
  onRunning: (running: boolean) => void;
}

/** A circuit that can be sent when the page opens keeps its forms, also when another version replaces it meanwhile: the API says so. */
function Recipients({ circuit, onRunning }: RecipientsProps) {
  const { words } = useSigningText();
  const { id, status } = circuit;
  const [wasPublished] = useState(status === 'published');
  if (status === 'published' || wasPublished) return <Modes circuit={circuit} onRunning={onRunning} />;
  return (
    <Notice tone="warning">
      {words.send.notPublished[status]}{' '}
      <Link to="/signing/circuits/$id" params={{ id }}>
        {words.send.seeCircuit}
      </Link>
    </Notice>
  );
}

function Modes({ circuit, onRunning }: RecipientsProps) {
  const { words } = useSigningText();
  const [mode, setMode] = useState<'one' | 'many'>('one');
  const name = useId();
  return (
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
        <SendMany circuit={circuit} onRunning={onRunning} />
      </div>
    </>
  );
}
