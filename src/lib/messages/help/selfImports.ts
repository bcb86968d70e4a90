import type { HelpTopic } from './topic.ts';

export const selfImports: HelpTopic = {
	title: 'Self-import',
	lead: 'The issuer of a chain creates coins without a burn.',
	sections: [
		{
			id: 'needs',
			title: 'What it needs',
			points: [
				'A chain that was started with ac_import=PUBKEY and ac_pubkey.',
				'A daemon whose wallet holds the key of ac_pubkey, and few other keys: the wallet pays from that key.',
				'0.0002 coins at that key, confirmed: a fee of 0.0001, and 0.0001 that the source pays to the recipient.'
			]
		},
		{
			id: 'steps',
			title: 'The two transactions',
			steps: [
				'The source is a payment of the issuer that names the amount and the recipient.',
				'The import creates that amount once the source is confirmed. It has no fee.'
			],
			text: [
				'Both are built, decoded and shown before anything is sent; you confirm once. If the server stops between the two, it continues afterwards.'
			]
		}
	]
};
