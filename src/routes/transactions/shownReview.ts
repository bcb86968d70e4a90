import { meanings } from '#lib/messages/transactions/meanings.ts';
import { rejections } from '#lib/messages/transactions/rejections.ts';
import { warnings } from '#lib/messages/transactions/warnings.ts';
import type { Send } from '#lib/server/wallet/transactions/store.ts';

const readable = <Part extends Send['review']['inputs' | 'outputs'][number]>(part: Part) => ({
	...part,
	meaning: meanings.text(part.meaning)
});

/** Returns a transaction's review for pages, with its messages as text. */
export const shownReview = ({ review, warnings: warned, rejection }: Send) => ({
	review: {
		...review,
		inputs: review.inputs.map(readable),
		outputs: review.outputs.map(readable)
	},
	warnings: warned.map(warnings.text),
	rejection: rejection === null ? null : rejections.text(rejection)
});
