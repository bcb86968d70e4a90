/** Where a file is written before it takes the place of another one. */
import { randomBytes } from 'node:crypto';

/** Not the number of the process: in containers that share a folder all of them have the same. */
const OWN = randomBytes(6).toString('hex');

/** A name beside a file that no other process writes to. */
export const freshName = (file: string): string => `${file}.${OWN}`;
