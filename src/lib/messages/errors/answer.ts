import type { EnvelopeFault } from './daemon.ts';
import { withStatus, type ErrorArea } from './define.ts';

/** An answer that came and could not be read, or is not read yet. */
export const answer = {
	/** The caller has stopped waiting while the call itself goes on. */
	'answer.pending': { status: 504, message: () => 'There is no answer yet.' },
	/** Too many large answers wait to be read. */
	'answer.readers-busy': {
		status: 503,
		message: () => 'Too many large answers wait to be read.'
	},
	...withStatus(502, {
		'answer.reading-failed': () => 'The answer took too long or too much memory to be read.',
		/** Text that should be JSON, found where its members are taken apart without being read. */
		'answer.malformed': () => 'The answer is not the JSON it should be.',
		/** JSON, or not even that, and no answer to a call. */
		'answer.no-envelope': (_fault: { fault: EnvelopeFault }) => 'What answers is not JSON-RPC.'
	})
} satisfies ErrorArea<'answer'>;
