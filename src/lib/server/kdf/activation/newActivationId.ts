import { randomBytes } from 'node:crypto';

/** What a new activation is known by, also where it is judged and counted before it begins. */
export const newActivationId = (): string => randomBytes(8).toString('hex');
