/** Temporary names for files that are written in full before they replace another file. */
import { randomBytes } from 'node:crypto';

/** Not the process id: in containers that share a folder every process has the same one. */
const OWN = randomBytes(6).toString('hex');

/** Returns a name in the same folder that no other process writes to. */
export const freshName = (file: string): string => `${file}.${OWN}`;
