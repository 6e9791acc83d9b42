import { Button, Notice, useAnnounce, useFocus } from '@constancia/web';
import type { PageSize } from '@constancia/web/pdf';
import { type ReactNode, useEffect, useState } from 'react';
import { Loading } from '../../parts/loading.tsx';
import { useSigningText } from '../text/language.ts';
import { FieldList } from './field-list.tsx';
import { PageBoxes } from './page-boxes.tsx';
import { PdfPages } from './pdf-pages.tsx';
import { type Box, boxFaults, freePlace, leavesPage, type Limits, movedBy, type Placed } from './placed.ts';
import { boxId } from './placed-box.tsx';
import { Preview, type Sample } from './preview.tsx';
import type { Fields } from './use-fields.ts';
import { type OpenPdf, usePdf } from './use-pdf.ts';

interface FieldEditorProps<Field extends Placed> {
  file: Blob;
  fields: Fields<Field>;
  limits: Limits;
  /** Without it nothing can be changed. A field where somebody drew a box, or of its usual size there. */
  create?: (box: Box | Pick<Box, 'page' | 'x' | 'y'>) => Field;
  /** What is chosen before a field is added. */
  tools?: ReactNode;
  labelOf: (field: Field) => string;
  toneOf?: (field: Field) => number;
  sampleOf: (field: Field) => Sample;
  details?: (field: Field) => ReactNode;
  /** What the height of a field is called, where it is not that. */
  heightLabel?: string;
  /** The document is open: the sizes of its pages. */
  onOpen?: (sizes: readonly PageSize[]) => void;
  /** Whether a field has to be corrected, or leaves its page. */
  onWrong?: (wrong: boolean) => void;
}

/** Points, from one field that is added by its button to the next. */

/** A document, and the fields on it: placed with the pointer, by keyboard, or by their numbers. */
export function FieldEditor<Field extends Placed>({ file, ...props }: FieldEditorProps<Field>) {
  const { words } = useSigningText();
  const open = usePdf(file);
  if (open === null) return <Loading />;
  if (open === 'unreadable') return <Notice tone="error">{words.editor.unreadable}</Notice>;
  return <OpenEditor {...props} open={open} />;
}

function OpenEditor<Field extends Placed>(props: Omit<FieldEditorProps<Field>, 'file'> & { open: OpenPdf }) {
  const { open, fields, limits, create, tools, labelOf, toneOf = () => 0, sampleOf, details = () => null } = props;
  const { heightLabel, onOpen, onWrong } = props;
  const { words } = useSigningText();
  const announce = useAnnounce();
  const focus = useFocus();
  const [page, setPage] = useState(1);
  const [previewed, setPreviewed] = useState(create === undefined);

  const add = (box: Parameters<NonNullable<typeof create>>[0]): void => {
    if (create === undefined) return;
    const field = create(box);
    fields.add(field);
    focus(boxId(field.id));
    announce(words.editor.added(labelOf(field), field.page));
  };
  /** Where it covers no other, below those that were added before. */
  const addInMiddle = (): void => {
    const size = open.sizes[page - 1];
    if (create === undefined || size === undefined) return;
    const { width, height } = create({ page, x: 0, y: 0 });
    add({ page, ...freePlace({ width, height }, size, ofPage(page)) });
  };
  const remove = (id: string): void => {
    fields.remove(id);
    focus('editor-add');
    announce(words.editor.removed);
  };
  const actions = {
    limits,
    onChoose: fields.choose,
    onRemove: remove,
    onBox: (id: string, { page, x, y, width, height }: Box) =>
      fields.change(id, { page, x, y, width, height } as Partial<Field>),
    onPage: (field: Placed, number: number) => {
      const size = open.sizes[number - 1];
      if (size === undefined) return;
      actions.onBox(field.id, movedBy({ ...field, page: number }, 0, 0, size));
      focus(boxId(field.id));
      announce(words.editor.onPage(number));
    },
  };
  const faultsOf = (field: Field) => boxFaults(field, fields.all, open.sizes.length, limits);
  const isWrong = (field: Field): boolean => {
    const size = open.sizes[field.page - 1];
    return Object.keys(faultsOf(field)).length > 0 || (size !== undefined && leavesPage(field, size));
  };
  const wrong = fields.all.some(isWrong);
  useEffect(() => onWrong?.(wrong), [wrong, onWrong]);
  // Once for each document, before anything is changed.
  useEffect(() => onOpen?.(open.sizes), [open]);
  const ofPage = (number: number) => fields.all.filter((field) => field.page === number);

  return (
    <div className="field-editor">
      <div>
        <div className="editor-bar">
          {create !== undefined && !previewed && (
            <>
              {tools}
              <Button id="editor-add" onPress={addInMiddle}>
                {words.editor.add}
              </Button>
            </>
          )}
          {create !== undefined && (
            <Button onPress={() => setPreviewed(!previewed)}>
              {previewed ? words.editor.edit : words.editor.preview}
            </Button>
          )}
          <span className="help">{words.editor.pageOf(page, open.sizes.length)}</span>
        </div>
        {create !== undefined && !previewed && (
          <p className="help" id="editor-keys">
            {words.editor.keys}
          </p>
        )}
        <PdfPages
          open={open}
          label={previewed ? words.editor.previewed : words.editor.document}
          onPage={setPage}
          over={(number, size, width) =>
            previewed ? (
              <Preview fields={ofPage(number)} sampleOf={(field) => sampleOf(field as Field)} {...{ size, width }} />
            ) : (
              <PageBoxes
                page={number}
                fields={ofPage(number)}
                chosen={fields.chosen}
                labelOf={(field) => labelOf(field as Field)}
                toneOf={(field) => toneOf(field as Field)}
                onDrawn={add}
                {...{ size, width, actions }}
              />
            )
          }
        />
      </div>
      {create !== undefined && (
        <section className="card" aria-labelledby="editor-fields">
          <h2 id="editor-fields">{words.editor.fields}</h2>
          <p className="help">{words.editor.points}</p>
          <FieldList
            fields={fields.all}
            chosen={fields.chosen}
            heightLabel={heightLabel ?? words.editor.members.height}
            onChoose={fields.choose}
            onChange={(id, changed) => fields.change(id, changed as Partial<Field>)}
            onRemove={remove}
            {...{ open, limits, faultsOf, isWrong, labelOf, details }}
          />
        </section>
      )}
    </div>
  );
}
