/** A wait of about so many milliseconds, another one for each page: not all of them ask at once after a restart. */
export const spreadWait = (ms: number): number => ms * (0.75 + Math.random() / 2);
