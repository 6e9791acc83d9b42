export { NewCredential, PasskeySignInBody } from './ceremony-bodies.ts';
export { PasskeyCeremonies } from './passkey-ceremonies.ts';
export type { Assertion, NewPasskey, PasskeyUser, VerificationKey } from './passkey-ceremonies.ts';
export { PasskeyChallenge } from './passkey-challenge.entity.ts';
export { passkeyChallengesOf } from './passkey-challenges.ts';
export type { PasskeyChallenges } from './passkey-challenges.ts';
