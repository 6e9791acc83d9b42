/**
 * A child of PictureCleaner: decodes untrusted pictures and nothing else. It has no environment, no addresses and no keys; pictures
 * pass through descriptor 3. Bounds of memory and time come from the one who starts it.
 */
import { serveParent } from '@constancia/child-process';
import { cleanLogo, cleanPicture, FACE_SIDE, LONGEST_SIDE } from './clean-picture.ts';
import { type CleaningAnswer, type CleaningJob, PictureRefused } from './picture-answer.ts';

serveParent({ answer: 'ready' }, async ({ head, bytes }) => {
  try {
    if ((head as CleaningJob).job === 'logo') {
      const { png, width, height } = await cleanLogo(bytes);
      return { head: { answer: 'clean', width, height } satisfies CleaningAnswer, bytes: png };
    }
    const { jpeg, width, height } = await cleanPicture(
      bytes,
      (head as CleaningJob).job === 'face' ? FACE_SIDE : LONGEST_SIDE,
    );
    return { head: { answer: 'clean', width, height } satisfies CleaningAnswer, bytes: jpeg };
  } catch (error) {
    const refusal = error instanceof PictureRefused ? error.refusal : 'unreadable';
    return { head: { answer: 'refused', refusal } satisfies CleaningAnswer };
  }
});
