import { randomBytes } from 'node:crypto';

/** Returns an id for a new activation; it is judged and counted under this id before it begins. */
export const newActivationId = (): string => randomBytes(8).toString('hex');
