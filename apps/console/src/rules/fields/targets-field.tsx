import type { RuleDefinition } from '@constancia/rule-graph';
import { Tick, useAnnounce } from '@constancia/web';
import { useId, useState } from 'react';
import type { RuleNode } from '../model/edited-rule.ts';
import { connect, disconnect, edgeOf, targetsOf } from '../model/rule-edits.ts';
import { useSentences } from '../parts/sentences.ts';
import { useRuleText } from '../text/language.ts';

interface TargetsFieldProps {
  definition: RuleDefinition;
  /** Its nodes in the order in which they are reached. */
  order: readonly RuleNode[];
  from: string;
  when: boolean;
  bare?: boolean;
  onDefinition: (definition: RuleDefinition) => void;
  disabled?: boolean;
}

/** Where a question leads when it is true, or not. */
export function TargetsField({
  definition,
  order,
  from,
  when,
  bare = false,
  onDefinition,
  disabled = false,
}: TargetsFieldProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { words } = useRuleText();
  const { sentenceOf } = useSentences();
  const announce = useAnnounce();
  const targets = targetsOf(definition, from, when);
  const title = when ? words.editor.yes : words.editor.no;
  const tick = (to: string, on: boolean): void => {
    const edge = edgeOf(from, to, when);
    onDefinition(on ? connect(definition, edge) : disconnect(definition, edge));
    announce(on ? words.editor.connected(from, to) : words.editor.disconnected(from, to));
  };
  return (
    <details className="targets" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={bare ? 'unseen' : undefined}>{title}: </span>
        {targets.length === 0 ? words.editor.nowhere : `→ ${targets.join(', ')}`}
      </summary>
      <fieldset className="members" disabled={disabled}>
        <legend className="unseen">{`${from}, ${title}`}</legend>
        {(open ? order : [])
          .filter((node) => node.id !== from)
          .map((node) => (
            <Tick
              key={node.id}
              id={`${id}-${node.id}`}
              required={false}
              ticked={targets.includes(node.id)}
              onTick={(on) => tick(node.id, on)}
              label={
                <>
                  <strong>{node.id}</strong> <small>{sentenceOf(node)}</small>
                </>
              }
            />
          ))}
      </fieldset>
    </details>
  );
}
