import type { WalletRecoveryFacts } from '@constancia/contracts/wallet-recovery';
import { LanguageProvider, Notice, Screen } from '@constancia/web';
import { useCallback, useRef } from 'react';
import { takePicture } from '../../camera/picture.ts';
import { Viewfinder } from '../../camera/viewfinder.tsx';
import type { MadePasskey, ProvenRecovery } from '../../api/recovery-api.ts';
import { useRequest } from '../../session/use-request.ts';
import { useChallenge } from '../../steps/use-challenge.ts';
import { MESSAGES as CAMERA_MESSAGES, useText as useCameraText } from '../../text/language.ts';
import { useText } from '../text/language.ts';

interface FaceStepProps {
  recovery: ProvenRecovery;
  /** Null: the server has it. */
  passkey: MadePasskey | null;
  /** The result of the attempt before. */
  last: WalletRecoveryFacts | null;
  onSettled: (facts: WalletRecoveryFacts) => void;
  isEnd: (failure: unknown) => boolean;
}

/** The face, with the turns of the head that the server asks for, as on the capture page. */
export function FaceStep(props: FaceStepProps) {
  const { locale } = useText();
  return (
    <FaceScreen {...props}>
      {(request) => (
        // The camera's words are those of the capture page, in the language that the reader has chosen here.
        <LanguageProvider key={locale} messages={CAMERA_MESSAGES} suggestedAtFirst={locale}>
          <Camera {...request} />
        </LanguageProvider>
      )}
    </FaceScreen>
  );
}

interface CameraRequest {
  recovery: ProvenRecovery;
  busy: boolean;
  run: (work: () => Promise<void>) => Promise<void>;
  onPictures: (selfie: Blob, frames: Blob[], challengeId: string) => Promise<void>;
}

function FaceScreen({
  recovery,
  passkey,
  last,
  onSettled,
  isEnd,
  children,
}: FaceStepProps & { children: (request: CameraRequest) => React.ReactNode }) {
  const { text, sentenceOf, locale } = useText();
  const { busy, error, run } = useRequest(() => undefined, isEnd);
  const reasons: Readonly<Record<string, string>> = CAMERA_MESSAGES[locale].retry;

  const onPictures = async (selfie: Blob, frames: Blob[], challenge_id: string): Promise<void> => {
    const uris: string[] = [];
    for (const picture of [selfie, ...frames]) uris.push(await recovery.sendPicture(picture));
    const [selfie_uri = '', ...frame_uris] = uris;
    onSettled(await recovery.complete({ selfie_uri, challenge_id, frame_uris, ...(passkey !== null && { passkey }) }));
  };
  return (
    <Screen title={text.recovery.faceTitle} lead={text.recovery.faceLead}>
      {last !== null && error === null && (
        <Notice tone="warning">
          {last.reason === 'unavailable' ? text.recovery.unavailable : (reasons[last.reason ?? ''] ?? reasons.other)}{' '}
          {text.recovery.left(last.checks_left)}
        </Notice>
      )}
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      {children({ recovery, busy: busy !== null, run: (work) => run('face', work), onPictures })}
    </Screen>
  );
}

function Camera({ recovery, busy, run, onPictures }: CameraRequest) {
  const { text } = useCameraText();
  const challenge = useChallenge(text.selfie);
  // What is taken goes on while the page is drawn again with each instruction.
  const current = useRef({ run, onPictures, take: challenge.take });
  current.current = { run, onPictures, take: challenge.take };
  const take = useCallback(
    (video: HTMLVideoElement): Promise<void> =>
      current.current.run(async () => {
        const selfie = await takePicture(video, 'face');
        const { challenge_id, poses, issued_at, expires_at } = await recovery.challenge();
        const asked = { kind: 'active', challenge_id, poses, issued_at, expires_at } as const;
        const { frames } = await current.current.take(video, { selfie, frames: [], challenge: null }, asked);
        await current.current.onPictures(selfie, frames, challenge_id);
      }),
    [recovery],
  );
  return (
    <Viewfinder
      shape="face"
      label={text.selfie.video}
      onTake={take}
      instruction={challenge.instruction ?? (busy ? text.camera.sending : undefined)}
    />
  );
}
