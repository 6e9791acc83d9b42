import { Button, Dialog, useAnnounce } from '@constancia/web';
import { type ReactNode, useState } from 'react';
import { leftBehind, removeNode } from '../model/rule-edits.ts';
import type { Editing } from '../model/use-edited-rule.ts';
import { useRuleText } from '../text/language.ts';

/** Removes a node; `done` once it is gone. */
export type RemoveNode = (id: string, done: () => void) => void;

/** Removing nodes: asks first where something is left that only the node leads to. The dialog is to be rendered. */
export function useNodeRemoval({ rule: { definition }, changeDefinition }: Editing): {
  remove: RemoveNode;
  dialog: ReactNode;
} {
  const { text, words } = useRuleText();
  const announce = useAnnounce();
  const [asked, setAsked] = useState<{ id: string; left: string[]; done: () => void } | null>(null);
  const removeNow = (id: string, done: () => void): void => {
    changeDefinition(removeNode(definition, id));
    done();
    announce(words.editor.nodeRemoved(id));
  };
  const remove: RemoveNode = (id, done) => {
    const left = leftBehind(definition, id);
    if (left.length > 0) setAsked({ id, left, done });
    else removeNow(id, done);
  };
  const close = (): void => setAsked(null);
  const dialog = asked !== null && (
    <Dialog title={words.editor.removeOf(asked.id)} onClose={close}>
      <p>{words.editor.leftBehind(asked.id, asked.left.join(', '))}</p>
      <div className="actions">
        <Button
          look="danger"
          onPress={() => {
            close();
            removeNow(asked.id, asked.done);
          }}
        >
          {words.remove}
        </Button>
        <Button onPress={close}>{text.cancel}</Button>
      </div>
    </Dialog>
  );
  return { remove, dialog };
}
