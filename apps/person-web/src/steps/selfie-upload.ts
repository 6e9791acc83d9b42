import type { CaptureChallenge, CaptureInput, CaptureState } from '@constancia/contracts/capture';
import type { CaptureApi } from '../api/capture-api.ts';

export interface TakenSelfie {
  selfie: Blob;
  /** Those of passive liveness, or one per pose. */
  frames: Blob[];
  challenge: CaptureChallenge | null;
}

/** Sends the pictures and takes the step. Called again after a lost connection, it sends only what has not arrived. */
export function selfieUpload(api: CaptureApi, taken: TakenSelfie): () => Promise<CaptureState> {
  const key = crypto.randomUUID();
  const sent: string[] = [];
  const pictures = [taken.selfie, ...taken.frames];
  return async () => {
    while (sent.length < pictures.length)
      sent.push(await api.sendPicture(sent.length === 0 ? 'selfie' : 'frame', pictures[sent.length] as Blob));
    const [selfie = '', ...frames] = sent;
    return api.advance(inputOf(taken.challenge, selfie, frames), key);
  };
}

function inputOf(challenge: CaptureChallenge | null, selfie_uri: string, frames: string[]): CaptureInput {
  if (challenge === null) return { selfie_uri };
  if (challenge.kind === 'passive') return { selfie_uri, frames, nonce: challenge.nonce };
  return { selfie_uri, liveness_mode: 'active', challenge_id: challenge.challenge_id, frame_uris: frames };
}
