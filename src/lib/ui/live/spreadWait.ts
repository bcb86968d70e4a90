/** Adds random jitter to a delay, so that pages do not all retry at once after a restart. */
export const spreadWait = (ms: number): number => ms * (0.75 + Math.random() / 2);
