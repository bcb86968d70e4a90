import type { ErrorArea } from './define.ts';

/** A call that found no free slot, or was no longer allowed when it got one; it was never started. */
export const queue = {
	'queue.full': { status: 503, message: () => 'Too many calls wait for this daemon.' },
	'queue.timeout': { status: 504, message: () => 'The call waited too long for its turn.' },
	'queue.kept': { status: 403, message: () => 'The call is no longer allowed.' }
} satisfies ErrorArea<'queue'>;
