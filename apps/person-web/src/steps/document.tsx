import type { CaptureState } from '@constancia/contracts/capture';
import { Notice, useAnnounce } from '@constancia/web';
import { useCallback, useState } from 'react';
import { FileInstead } from '../camera/file-instead.tsx';
import { takePicture } from '../camera/picture.ts';
import { Viewfinder } from '../camera/viewfinder.tsx';
import { HandOver } from '../screens/handover.tsx';
import { SkipStep, StepFrame } from '../screens/step-frame.tsx';
import { useSession } from '../session/session.tsx';
import { useSending } from '../session/use-sending.ts';
import { useText } from '../text/language.ts';

/** A picture of each side. Each is sent as soon as it is taken, and kept nowhere; the last one sets the reader to work. */
export function DocumentPictures({ state }: { state: CaptureState }) {
  const { text } = useText();
  const { api } = useSession();
  const announce = useAnnounce();
  const sending = useSending();
  const [front, setFront] = useState<string | null>(null);
  const { send } = sending;
  const sides = state.document?.sides ?? [];
  const side = front === null ? 'front' : 'back';
  const last = side === sides.at(-1);

  const picture = useCallback(
    async (image: Blob): Promise<void> => {
      const key = crypto.randomUUID();
      let uri: string | null = null;
      await send(async () => {
        uri ??= await api.sendPicture(side === 'front' ? 'doc_front' : 'doc_back', image);
        if (!last) {
          setFront(uri);
          announce(text.document.taken);
          return undefined;
        }
        const input = side === 'front' ? { doc_front_uri: uri } : { doc_front_uri: front as string, doc_back_uri: uri };
        const next = await api.advance(input, key);
        setFront(null);
        return next;
      }).then((outcome) => {
        if (typeof outcome === 'object') setFront(null); // refused: both sides again
      });
    },
    [api, send, side, last, front, announce, text],
  );
  const take = useCallback(
    async (video: HTMLVideoElement): Promise<void> => picture(await takePicture(video, 'card')),
    [picture],
  );
  const title = sides.length === 1 ? text.document.only : text.document[side];
  return (
    <StepFrame key={side} state={state} title={title} lead={text.document.lead} sending={sending}>
      {side === 'back' && <Notice tone="good">{text.document.taken}</Notice>}
      {sending.busy || sending.lost ? (
        <p className="loading">{sending.busy && text.camera.sending}</p>
      ) : (
        <Viewfinder shape="card" label={text.document.video} onTake={take}>
          {state.document?.file_allowed === true && <FileInstead onPicture={(image) => void picture(image)} />}
          <HandOver state={state} />
          <SkipStep state={state} sending={sending} />
        </Viewfinder>
      )}
    </StepFrame>
  );
}
