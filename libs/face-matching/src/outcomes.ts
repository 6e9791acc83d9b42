/**
 * - pass: the same person (and alive, as far as the mode can tell).
 * - reject: another person, a liveness challenge that was not met by the person in the pictures, or a copy of the document's portrait.
 * - review: a person has to look (`reasons` says at what).
 * - retry: nothing can be said; the holder can take better pictures.
 * - error: the engine failed or ran out of time; says nothing about the pictures.
 */
export type FaceOutcome = 'pass' | 'reject' | 'review' | 'retry' | 'error';

/** Every reason there is, by the outcome it belongs to. */
export const FACE_REASONS = {
  retry: [
    'not_an_image',
    'no_face',
    'two_faces',
    'too_small',
    'blurred',
    'too_dark',
    'challenge_expired',
    'challenge_too_fast',
    'same_picture_twice',
    'pose_not_taken',
  ],
  review: ['no_portrait', 'doubtful_likeness', 'spoof_suspected', 'liveness_undetermined'],
  reject: ['other_person', 'wrong_direction', 'person_changed', 'portrait_copy'],
  error: ['deadline', 'engine_failure'],
} as const;
export type FaceReason = (typeof FACE_REASONS)[keyof typeof FACE_REASONS][number];

/** What a single picture may be refused for. All of them are retries. */
export type PictureReason = 'not_an_image' | 'no_face' | 'two_faces' | 'too_small' | 'blurred' | 'too_dark';
