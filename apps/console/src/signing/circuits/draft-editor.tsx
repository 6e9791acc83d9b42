import { Button, Entry, Notice, Tick, useAnnounce } from '@constancia/web';
import { useId, useState } from 'react';
import { useCall } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAction } from '../../parts/use-action.ts';
import { FieldEditor } from '../editor/field-editor.tsx';
import { boxFaults } from '../editor/placed.ts';
import { type Fields, useFields } from '../editor/use-fields.ts';
import { useUnsaved } from '../editor/use-unsaved.ts';
import { useSigningText } from '../text/language.ts';
import {
  CIRCUIT_LIMITS,
  type CircuitField,
  circuitFieldAt,
  circuitFieldsOf,
  type CircuitRow,
  circuitSample,
  type CircuitSigner,
  definitionOf,
  type FieldType,
  fingerprintOf,
  signersAreValid,
} from './circuit-fields.ts';
import { FieldChoice } from './field-choice.tsx';
import { PublishButton } from './publish-button.tsx';
import { SignersCard } from './signers-card.tsx';
import { CIRCUITS, useBasePdf } from './use-circuit.ts';

interface DraftEditorProps {
  /** As it is saved now; another member may change it meanwhile. */
  circuit: CircuitRow;
  /** Reads it again. */
  reload: () => Promise<CircuitRow | undefined>;
}

/** A draft: its signers and their fields, until it is published. */
export function DraftEditor({ circuit, reload }: DraftEditorProps) {
  const { words } = useSigningText();
  const { id } = circuit;
  const call = useCall();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const [base, setBase] = useState(circuit);
  const [signers, setSigners] = useState<readonly CircuitSigner[]>(circuit.signers);
  const [access, setAccess] = useState(circuit.document_access);
  const [fault, setFault] = useState<string | null>(null);
  const fields = useFields(circuitFieldsOf(circuit));
  const definition = definitionOf(signers, fields.all, access);
  const unsaved = fingerprintOf({ ...base, ...definition } as CircuitRow) !== fingerprintOf(base);
  const overtaken = fingerprintOf(circuit) !== fingerprintOf(base);
  useUnsaved(unsaved);

  const faultNow = (): string | null => {
    const pages = circuit.page_count ?? Infinity;
    if (!signersAreValid(signers)) return words.circuits.badRoles;
    if (fields.all.some(({ signer }) => !signers.some(({ role }) => role === signer)))
      return words.circuits.missing.unknown_role ?? null;
    const isWrong = (field: CircuitField): boolean =>
      Object.keys(boxFaults(field, fields.all, pages, CIRCUIT_LIMITS)).length > 0;
    return fields.all.some(isWrong) ? words.editor.correct : null;
  };
  /** Whether everything is saved now. The API has no tag of a draft: it is read again before it is replaced. */
  const save = async (): Promise<boolean> => {
    const wrong = faultNow();
    setFault(wrong);
    if (wrong !== null) return false;
    if (!unsaved) return true;
    const now = await reload();
    if (now !== undefined && fingerprintOf(now) !== fingerprintOf(base)) return false;
    const params = { path: { id } };
    const saved = await call(
      ({ signing }) => signing.PUT('/v1/circuits/{id}/definition', { params, body: definition }),
      CIRCUITS,
    );
    setBase(saved);
    announce(words.circuits.saved);
    return true;
  };
  const takeTheirs = (): void => {
    setBase(circuit);
    setSigners(circuit.signers);
    setAccess(circuit.document_access);
    fields.replace(circuitFieldsOf(circuit));
  };
  const onSigners = (next: CircuitSigner[], renamed?: readonly [before: string, now: string]): void => {
    setSigners(next);
    if (renamed === undefined) return;
    const [before, now] = renamed;
    fields.replace(fields.all.map((field) => (field.signer === before ? { ...field, signer: now } : field)));
  };

  return (
    <>
      {overtaken && (
        <Notice tone="warning">
          <p>{words.circuits.changed}</p>
          <div className="actions small">
            <Button onPress={() => setBase(circuit)}>{words.circuits.overwrite}</Button>
            <Button onPress={takeTheirs}>{words.circuits.takeTheirs}</Button>
          </div>
        </Notice>
      )}
      {fault !== null && <Notice tone="error">{fault}</Notice>}
      {error !== null && <Failure error={error} />}
      <div className="actions small">
        <Button
          look="primary"
          busy={busy !== null}
          onPress={() => void run('save', async () => void (await save()))}
          waiting={overtaken}
        >
          {words.circuits.save}
        </Button>
        <PublishButton id={id} save={save} waiting={overtaken} />
      </div>
      <SignersCard signers={signers} onSigners={onSigners} />
      {circuit.base_pdf_sha256 === null ? (
        <p className="help">{words.circuits.noPdf}</p>
      ) : (
        <DraftFields id={id} sha256={circuit.base_pdf_sha256} signers={signers} fields={fields} />
      )}
      <AccessEntry value={access} onValue={setAccess} />
    </>
  );
}

interface DraftFieldsProps {
  id: string;
  sha256: string;
  signers: readonly CircuitSigner[];
  fields: Fields<CircuitField>;
}

function DraftFields({ id, sha256, signers, fields }: DraftFieldsProps) {
  const { words, samples } = useSigningText();
  const pdf = useBasePdf(id, sha256);
  const [chosen, setRole] = useState('');
  const [type, setType] = useState<FieldType>('signature');
  const role = signers.some((signer) => signer.role === chosen) ? chosen : (signers[0]?.role ?? '');
  const nameOf = ({ type: kind, signer }: CircuitField): string => `${words.circuits.types[kind]} · ${signer}`;
  const choice = { signers, roleLabel: words.circuits.signer };
  if (signers.length === 0) return <Notice tone="news">{words.circuits.noSigners}</Notice>;
  return (
    <Loaded query={pdf}>
      {(file) => (
        <FieldEditor
          file={file}
          fields={fields}
          limits={CIRCUIT_LIMITS}
          tools={<FieldChoice {...choice} role={role} type={type} onRole={setRole} onType={setType} />}
          create={(box) => circuitFieldAt({ type, signer: role, stem: words.circuits.keys[type] }, box, fields.all)}
          labelOf={nameOf}
          toneOf={({ signer }) =>
            Math.max(
              0,
              signers.findIndex((one) => one.role === signer),
            ) % 4
          }
          sampleOf={(field) => circuitSample(field, samples)}
          details={(field) => (
            <>
              <FieldChoice
                {...choice}
                role={field.signer}
                type={field.type}
                onRole={(signer) => fields.change(field.id, { signer })}
                onType={(kind) => fields.change(field.id, { type: kind })}
              />
              <LabelEntry value={field.label} onText={(label) => fields.change(field.id, { label })} />
              {field.type !== 'signature' && (
                <Tick
                  id={`required-${field.id}`}
                  label={words.circuits.required}
                  required={false}
                  ticked={field.required}
                  onTick={(required) => fields.change(field.id, { required })}
                />
              )}
            </>
          )}
        />
      )}
    </Loaded>
  );
}

function LabelEntry({ value, onText }: { value: string; onText: (text: string) => void }) {
  const { words } = useSigningText();
  const id = useId();
  return (
    <Entry id={id} label={words.circuits.label} help={words.circuits.labelHint} required={false}>
      {(wiring) => (
        <input {...wiring} type="text" maxLength={200} value={value} onChange={(event) => onText(event.target.value)} />
      )}
    </Entry>
  );
}

type Access = CircuitRow['document_access'];

function AccessEntry({ value, onValue }: { value: Access; onValue: (access: Access) => void }) {
  const { words } = useSigningText();
  const id = useId();
  return (
    <Entry id={id} label={words.circuits.access}>
      {(wiring) => (
        <select {...wiring} value={value} onChange={(event) => onValue(event.target.value as Access)}>
          {(['link', 'authenticated'] as const).map((access) => (
            <option key={access} value={access}>
              {words.circuits.accesses[access]}
            </option>
          ))}
        </select>
      )}
    </Entry>
  );
}
