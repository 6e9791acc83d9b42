/** The rejection_reason of a session whose attempts at a step are used up. */
export const TOO_MANY_ATTEMPTS = 'too_many_attempts';

/** What to do about a reason that may be tried again. */
export const RETRY_HELP: Record<string, string> = {
  unreadable: 'The document could not be read: send a sharper picture of all of it.',
  blurred: 'The picture is blurred: hold still and send another.',
  glare: 'The picture is burnt out in places: avoid reflections and send another.',
  too_small: 'The picture is too small: send one of at least 640 pixels on each side.',
  not_an_image: 'The file is no picture: send a JPEG, PNG or WebP.',
  wrong_side: 'This is the wrong side of the document: send the one that is asked for.',
  document_mismatch: 'This is not the document that the session was opened with: send that one.',
  no_face: 'No face was found: send a picture with the face in full view.',
  two_faces: 'There is more than one face: send a picture of one person.',
  too_dark: 'The face is too dark: send a picture in better light.',
  challenge_expired: 'The pictures came too late: ask for a new challenge.',
  challenge_too_fast: 'The pictures came faster than anyone turns: ask for a new challenge.',
  same_picture_twice: 'One picture was sent for two poses: ask for a new challenge.',
  pose_not_taken: 'A pose was not taken: ask for a new challenge and follow it.',
};
