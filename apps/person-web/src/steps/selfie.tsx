import type { CaptureState } from '@constancia/contracts/capture';
import { useCallback, useState } from 'react';
import { FileInstead } from '../camera/file-instead.tsx';
import { takePicture } from '../camera/picture.ts';
import { Viewfinder } from '../camera/viewfinder.tsx';
import { HandOver } from '../screens/handover.tsx';
import { SkipStep, StepFrame } from '../screens/step-frame.tsx';
import { useSession } from '../session/session.tsx';
import { useSending } from '../session/use-sending.ts';
import { useText } from '../text/language.ts';
import { selfieUpload, type TakenSelfie } from './selfie-upload.ts';
import { useChallenge } from './use-challenge.ts';

/** Frames are spread over less time than the server allows: drawing one takes some, too. */
const FRAMES = 4;
const SPREAD = 0.7;

/** A picture of the face; with frames before it for passive liveness, or one per pose for active liveness. */
export function Selfie({ state }: { state: CaptureState }) {
  const { text } = useText();
  const { api } = useSession();
  const sending = useSending();
  const challenge = useChallenge(text.selfie);
  const [near, setNear] = useState(false);
  const { send } = sending;
  const { selfie } = state;
  const passive = selfie?.frames ?? null;
  const active = selfie?.liveness_mode === 'active';

  const upload = useCallback(
    async (taken: TakenSelfie): Promise<void> => {
      const request = selfieUpload(api, taken);
      await send(request);
    },
    [api, send],
  );

  const take = useCallback(
    async (video: HTMLVideoElement): Promise<void> => {
      const taken: TakenSelfie = { selfie: await takePicture(video, 'face'), frames: [], challenge: null };
      if (active || passive !== null) {
        const outcome = await send(async () => {
          taken.challenge = await api.challenge();
        });
        if (outcome !== 'done') return;
      }
      if (taken.challenge?.kind === 'active') return upload(await challenge.take(video, taken, taken.challenge));
      if (passive !== null) {
        setNear(true);
        const count = Math.min(passive.most, Math.max(passive.least, FRAMES));
        for (let nth = 0; nth < count; nth++) {
          if (nth > 0) await pause((passive.within_ms * SPREAD) / (count - 1));
          taken.frames.push(await takePicture(video, 'face'));
        }
        taken.selfie = await takePicture(video, 'face');
        setNear(false);
      }
      await upload(taken);
    },
    [active, passive, challenge, api, send, upload],
  );
  const instruction = challenge.instruction ?? (near ? text.selfie.frames : undefined);
  const file = selfie?.file_allowed === true && !active;
  return (
    <StepFrame state={state} title={text.selfie.title} lead={text.selfie.lead} sending={sending}>
      {sending.lost ? (
        <p className="loading">{sending.busy && text.camera.sending}</p>
      ) : (
        <Viewfinder
          shape="face"
          label={text.selfie.video}
          onTake={take}
          instruction={instruction ?? (sending.busy ? text.camera.sending : undefined)}
        >
          {file && <FileInstead onPicture={(image) => void upload({ selfie: image, frames: [], challenge: null })} />}
          <HandOver state={state} />
          <SkipStep state={state} sending={sending} />
        </Viewfinder>
      )}
    </StepFrame>
  );
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
