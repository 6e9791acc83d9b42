import type { CaptureChallenge } from '@constancia/contracts/capture';
import { useAnnounce } from '@constancia/web';
import { useMemo, useState } from 'react';
import { takePicture } from '../camera/picture.ts';
import type { Messages } from '../text/messages.ts';
import type { TakenSelfie } from './selfie-upload.ts';

/** How long a person has to read a pose and take it; the server wants all of them within a minute, and none faster than anyone turns. */
const POSE_MS = 3_000;

/** Asks for one pose after the other, and takes a picture of each. */
export function useChallenge(words: Messages['selfie']) {
  const announce = useAnnounce();
  const [instruction, setInstruction] = useState<string | null>(null);
  return useMemo(
    () => ({
      instruction,
      take: async (
        video: HTMLVideoElement,
        taken: TakenSelfie,
        challenge: Extract<CaptureChallenge, { kind: 'active' }>,
      ): Promise<TakenSelfie> => {
        const frames: Blob[] = [];
        for (const [nth, pose] of challenge.poses.entries()) {
          const sentence = words.pose(nth + 1, challenge.poses.length, words.poses[pose] ?? pose);
          setInstruction(sentence);
          announce(sentence);
          await new Promise((resolve) => setTimeout(resolve, POSE_MS));
          frames.push(await takePicture(video, 'face'));
        }
        setInstruction(null);
        return { ...taken, frames, challenge };
      },
    }),
    [announce, instruction, words],
  );
}
