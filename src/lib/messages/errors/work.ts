import { withCertainty, type Certainty } from '../certainties.ts';
import { wallet } from './access.ts';
import { messageIn, type CodedOf, type ErrorArea } from './define.ts';

/** Open work with a wallet that this member may not continue or end. */
export const work = {
	'work.denied': {
		status: 403,
		message: ({ why, certain }: { why: CodedOf<typeof wallet>; certain: Certainty }) =>
			withCertainty(messageIn(wallet, why), certain)
	},
	'work.draft-changed': {
		status: 409,
		message: ({ by }: { by: string }) =>
			`${by} changed this draft after you opened it. It was not removed. Open it again to see what it holds now.`
	}
} satisfies ErrorArea<'work'>;
