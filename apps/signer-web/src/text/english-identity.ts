import type { IDENTITY_ES } from './spanish-identity.ts';

export const IDENTITY_EN: typeof IDENTITY_ES = {
  title: 'Verify your identity',
  lead: (sender) =>
    `${sender} asks you to verify your identity with your document and a picture of your face. It is proof that you are the one who signs.`,
  documentType: 'Type of document',
  documentTypes: {
    CC: 'Cédula de ciudadanía',
    CE: 'Cédula de extranjería',
    TI: 'Tarjeta de identidad',
    PA: 'Passport',
    PPT: 'Permiso por protección temporal',
  },
  number: 'Number of the document',
  numberHelp: 'It will not appear on the document or in its certificate.',
  country: 'Issuing country',
  missing: 'Enter the number of your document.',
  malformed: 'That number does not match this type of document. Check it.',
  submit: 'Continue',
  privacy:
    'After you continue, a button opens the verification in another tab. There you agree to the processing of your data and take the pictures with the camera, or use a verification that you keep in your wallet. Have your document at hand.',
  preparing: 'Preparing the verification…',
  ready: 'Now open the verification',
  readyLead:
    'Nothing has been verified yet: press the button and take the pictures in the tab that opens. When you are done, come back to this one.',
  open: 'Open the verification',
  opens: 'Opens in another tab.',
  waiting: 'This page will go on by itself when the verification is done.',
  review: 'We are reviewing the verification',
  reviewLead:
    'A person will review it, which can take a while. You can close this page and come back later with the same link, in this same browser.',
  verified: 'Identity verified.',
  nameMismatch: 'The name on the document does not match the name given by the sender of this document to sign.',
  nameHelp: (sender) =>
    `If you used the document of another person, verify again with your own. If your name is misspelled, ask ${sender} to correct it.`,
  notVerified: 'We could not verify your identity.',
  notVerifiedHelp: (sender) => `You can try again. If you have questions, ${sender} can answer them.`,
  expired: 'The time for the verification is over.',
  expiredHelp: 'Start another one: nothing else was lost.',
  refused: 'Your identity cannot be verified at present, or not with this document.',
  refusedHelp: (sender) => `Try with another document, or later. ${sender} can see what is missing.`,
};
