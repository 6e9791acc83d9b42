import { SENDER } from '@constancia/contracts/field-conditions';
import { Button, Notice, useAnnounce } from '@constancia/web';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isConflict } from '../../api/api-error.ts';
import { type Tagged, withEtag } from '../../api/apis.ts';
import { useCall } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.tsx';
import { useAction } from '../../parts/use-action.ts';
import { boxFaults } from '../editor/placed.ts';
import { useFields } from '../editor/use-fields.ts';
import { useSigningText } from '../text/language.ts';
import {
  CIRCUIT_LIMITS,
  type CircuitField,
  circuitFieldsOf,
  type CircuitRow,
  definitionOf,
  type DraftSigner,
  draftSignersOf,
  isSameDefinition,
  looksComplete,
  signersAreValid,
  withFlowsOf,
} from './circuit-fields.ts';
import { type Delivery, DeliveryEntry } from './delivery-entry.tsx';
import { DiscardButton } from './discard-button.tsx';
import { DraftFields } from './draft-fields.tsx';
import { PublishButton } from './publish-button.tsx';
import { SignersCard } from './signers-card.tsx';
import { CIRCUITS, useCircuit } from './use-circuit.ts';

interface DraftEditorProps {
  /** As it is when the editor opens. */
  circuit: Tagged<CircuitRow>;
  /** It is published, and nothing that was written here is wanted any more. */
  onPublished: () => void;
}

/** A draft: its signers and their fields, until it is published. */
export function DraftEditor({ circuit: opened, onPublished }: DraftEditorProps) {
  const { words } = useSigningText();
  const { id } = opened;
  const call = useCall();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  // As it is saved now; another member may change it meanwhile.
  const { data: circuit = opened, refetch } = useCircuit(id);
  const [base, setBase] = useState(opened);
  const [signers, setSigners] = useState<readonly DraftSigner[]>(() => draftSignersOf(opened));
  const [delivery, setDelivery] = useState<Delivery>(opened);
  const [fault, setFault] = useState<string | null>(null);
  const fields = useFields(circuitFieldsOf(opened));
  const definition = definitionOf(signers, fields.all, delivery);
  const isTyped = signers.some(({ role, typed }) => role !== typed);
  const unsaved = isTyped || !isSameDefinition(definition, base);
  const published = circuit.status !== 'draft';
  const overtaken = !published && !isSameDefinition(circuit, base);
  const leave = useLeaveGuard({ unsaved });

  const faultNow = (): string | null => {
    const pages = circuit.page_count ?? Infinity;
    if (isTyped || !signersAreValid(signers)) return words.circuits.badRoles;
    if (fields.all.some(({ signer }) => signer !== SENDER && !signers.some(({ role }) => role === signer)))
      return words.circuits.missing.unknown_role ?? null;
    const isWrong = (field: CircuitField): boolean =>
      Object.keys(boxFaults(field, fields.all, pages, CIRCUIT_LIMITS)).length > 0;
    return fields.all.some(isWrong) ? words.editor.correct : null;
  };
  const publishNext = !unsaved && looksComplete(circuit) && faultNow() === null;
  const put = (draft: string, etag?: string) => {
    const params = { path: { id: draft }, header: etag === undefined ? {} : { 'If-Match': etag } };
    return call(({ signing }) => withEtag(signing.PUT('/v1/circuits/{id}/definition', { params, body: definition })));
  };
  /** Reads what somebody saved meanwhile. Throws the refusal again if the page would not show why it was refused. */
  const showConflict = async (failure: unknown): Promise<null> => {
    if (!isConflict(failure)) throw failure;
    const { data: now } = await refetch({ throwOnError: true });
    if (now === undefined || (now.status === 'draft' && isSameDefinition(now, base))) throw failure;
    return null;
  };
  /** Whether everything is saved now. */
  const save = async (): Promise<boolean> => {
    const wrong = faultNow();
    setFault(wrong);
    if (wrong !== null) return false;
    if (!unsaved) return true;
    const saved = await put(id, circuit.etag).catch(showConflict);
    if (saved === null) return false;
    queries.setQueryData([...CIRCUITS, id], saved);
    setBase(saved);
    setSigners((now) => withFlowsOf(saved.signers, now));
    void queries.invalidateQueries({ queryKey: CIRCUITS });
    announce(words.circuits.saved);
    return true;
  };
  const takeTheirs = (): void => {
    setBase(circuit);
    setSigners(draftSignersOf(circuit));
    setDelivery(circuit);
    fields.replace(circuitFieldsOf(circuit));
  };
  /** Somebody published the draft meanwhile: what was written here becomes the next version. */
  const carryOver = async (): Promise<void> => {
    const wrong = faultNow();
    setFault(wrong);
    if (wrong !== null) return;
    const draft = await call(({ signing }) => signing.POST('/v1/circuits/{id}/clone', { params: { path: { id } } }));
    await put(draft.id);
    void queries.invalidateQueries({ queryKey: CIRCUITS });
    leave.letPass();
    await navigate({ to: '/signing/circuits/$id', params: { id: draft.id } });
    announce(words.circuits.cloned);
  };
  const onSigners = (next: DraftSigner[], renamed?: readonly [before: string, now: string]): void => {
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
      {published && (
        <Notice tone="warning">
          <p>{words.circuits.publishedMeanwhile}</p>
          <div className="actions small">
            <Button busy={busy !== null} onPress={() => void run('clone', carryOver)}>
              {words.circuits.carryOver}
            </Button>
            <Button onPress={onPublished}>{words.circuits.seePublished}</Button>
          </div>
        </Notice>
      )}
      {fault !== null && <Notice tone="error">{fault}</Notice>}
      {error !== null && <Failure error={error} />}
      {!published && (
        <div className="actions small">
          <Button
            look={publishNext ? 'secondary' : 'primary'}
            busy={busy !== null}
            onPress={() => void run('save', async () => void (await save()))}
            waiting={overtaken}
          >
            {words.circuits.save}
          </Button>
          <PublishButton
            id={id}
            version={circuit.version}
            primary={publishNext}
            save={save}
            waiting={overtaken}
            keyOfField={(at) => fields.all[at]?.key}
            onPublished={onPublished}
          />
          <DiscardButton circuit={circuit} onDiscarded={leave.letPass} />
        </div>
      )}
      <SignersCard signers={signers} onSigners={onSigners} />
      {circuit.base_pdf_sha256 === null ? (
        <p className="help">{words.circuits.noPdf}</p>
      ) : (
        <DraftFields id={id} sha256={circuit.base_pdf_sha256} signers={signers} fields={fields} />
      )}
      <DeliveryEntry value={delivery} onValue={setDelivery} />
      {leave.dialog}
    </>
  );
}
