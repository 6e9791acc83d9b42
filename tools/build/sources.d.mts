/** The checkout's folder. */
export const WORKSPACE: string;
