import type { HelpTopic } from './topic.ts';

export const sending: HelpTopic = {
	title: 'Send and review',
	lead: 'What happens between a form and a confirmed transaction.',
	sections: [
		{
			id: 'review',
			title: 'The review',
			text: [
				'The daemon builds and signs a transaction. Komodeck decodes the signed bytes itself and compares them with what you asked for: recipients, amounts, change and fee. If anything differs, the transaction is refused and shown as such.',
				'The total that a review shows is what leaves the wallet: its inputs minus the outputs that return to it, fee included.'
			],
			points: [
				'While a review is open, its inputs are locked for other transactions made here. The page says until when.',
				'An expired or discarded review unlocks them. Nothing was sent.'
			]
		},
		{
			id: 'states',
			title: 'States of a transaction',
			points: [
				'Awaiting review: signed, not sent.',
				'Awaiting approval: other members have to approve it first.',
				'Sending: handed to the daemon, which has not answered yet.',
				'Pending: a daemon accepted it; no block holds it yet.',
				'Confirmed: a block holds it. It becomes final with a notarization of that block, or with enough blocks above it.',
				'Rejected: the daemon refused it, and no block holds it. Its page says whether a block could still take it.',
				'Unknown: the daemon gave no clear answer. Komodeck looks for the transaction until it is found, or can never be confirmed any more.',
				'Discarded: closed before it was sent.'
			]
		},
		{
			id: 'unknown',
			title: 'When a state is Unknown',
			text: [
				'Do not build the same payment again: the first one may still be confirmed. Sending the same bytes again from its page is safe, because they can be confirmed only once.'
			],
			links: [{ label: 'Transactions', href: '/transactions' }]
		},
		{
			id: 'utxos',
			title: 'Coins that cannot be spent now',
			points: [
				'A wallet spends whole UTXOs. If one open review locks the only UTXO, a second review has nothing to spend: split UTXOs beforehand.',
				'A burn can spend at most 10 UTXOs. If the amount is spread over more, consolidate UTXOs first.',
				'Block rewards can be spent after 100 blocks on KMD, and after one on most other chains.'
			]
		},
		{
			id: 'drafts',
			title: 'Drafts and batch transfers',
			text: [
				'A form that can be saved as a draft is shared with the team: another member can continue with it.',
				'A batch transfer pays one token to many recipients. Each recipient gets a transaction of their own, sent one after the other; each row shows its state, and the rows that failed can be tried again together.'
			]
		}
	]
};
