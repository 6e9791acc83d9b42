import type { Database } from '@constancia/persistence';

/** Challenges of ceremonies, by their SHA-256. session: of a registration, its session; of a step-up, the id of what it is for; null: of a sign-in. */
export interface PasskeyChallenges {
  note(hash: Buffer, session: string | null, seconds: number): Promise<void>;
  /** Whether it was open. It is used up then. */
  take(hash: Buffer, session: string | null): Promise<boolean>;
}

/** Those of a schema that has passkeyChallengeTable and passkeyChallengeFunctions. */
export function passkeyChallengesOf(database: Pick<Database, 'query'>, schema: string): PasskeyChallenges {
  return {
    note: async (...noted) => {
      await database.query(`select ${schema}.note_passkey_challenge($1, $2, $3)`, noted);
    },
    take: async (...taken) => {
      const sql = `select ${schema}.take_passkey_challenge($1, $2) as taken`;
      const [row] = await database.query<{ taken: boolean }>(sql, taken);
      return row?.taken ?? false;
    },
  };
}
