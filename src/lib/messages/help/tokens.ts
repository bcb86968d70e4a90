import type { HelpTopic } from './topic.ts';

export const tokens: HelpTopic = {
	title: 'Tokens',
	lead: 'Create, transfer and burn tokens of a chain.',
	sections: [
		{
			id: 'create',
			title: 'Create a token',
			text: [
				'A token is identified by its ID, the transaction that created it. Names are not unique: check the ID, or give the token a label in the address book.',
				'Each base unit locks one satoshi of the chain’s coin. A supply of 100,000 base units therefore costs 0.001 coins, plus the listing fee and the network fee. The form shows the cost while you type.'
			],
			points: [
				'A non-fungible token has exactly one unit and can have data: a text, JSON or a picture.',
				'The supply cannot be changed later.',
				'Name and description cannot be changed either: read the review.'
			]
		},
		{
			id: 'decimals',
			title: 'Decimals',
			text: [
				'A chain counts base units only. Display decimals say how your team reads and writes amounts of a token. They change nothing on the chain, and other explorers may show other amounts.'
			]
		},
		{
			id: 'transfer',
			title: 'Transfer and burn',
			points: [
				'A token is transferred to a public key, not to an address. If an address has spent coins on the chain, Komodeck finds its public key.',
				'For many recipients use a batch transfer.',
				'Burned units are gone for good; the name of the token has to be typed to confirm.'
			]
		}
	]
};
