import type { EnvelopeFault } from './daemon.ts';
import { withStatus, type ErrorArea } from './define.ts';

/** A response that arrived and cannot be read, or has not been read yet. */
export const answer = {
	/** The caller's waiting time is over while the call continues. */
	'answer.pending': { status: 504, message: () => 'There is no answer yet.' },
	/** Too many large responses are waiting to be parsed. */
	'answer.readers-busy': {
		status: 503,
		message: () => 'Too many large answers wait to be read.'
	},
	...withStatus(502, {
		'answer.reading-failed': () => 'The answer took too long or too much memory to be read.',
		/** Text that should be JSON, detected when its members are split without being parsed. */
		'answer.malformed': () => 'The answer is not the JSON it should be.',
		/** Not a JSON-RPC response, or not even JSON. */
		'answer.no-envelope': (_fault: { fault: EnvelopeFault }) => 'What answers is not JSON-RPC.'
	})
} satisfies ErrorArea<'answer'>;
