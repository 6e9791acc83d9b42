/** The published rules of one-time codes. */
export const OTP = { validMs: 10 * 60_000, betweenSendsMs: 60_000, sendsPerHour: 5, tries: 5 } as const;
