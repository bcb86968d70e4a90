/**
 * Limits for the form of a visitor who is not signed in, so also for one whose session has ended: bytes of the
 * whole form, and number of its fields.
 */
export const SMALL_FORM = { bytes: 64 * 1024, fields: 1_000 } as const;
