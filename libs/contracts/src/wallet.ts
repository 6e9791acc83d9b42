/** How long a wallet session is valid, from its sign-in. */
export const WALLET_SESSION_SECONDS = 600;
