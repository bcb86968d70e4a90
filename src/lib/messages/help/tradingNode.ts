import type { HelpTopic } from './topic.ts';

export const tradingNode: HelpTopic = {
	title: 'Trading node and signatures',
	lead: 'Activate coins on a KDF node, sign and verify messages.',
	sections: [
		{
			id: 'activate',
			title: 'Activate a coin',
			steps: [
				'Choose a coin. Komodeck proposes servers and checks that they can be reached.',
				'Choose Activate. The trading node connects and reports its progress; the page can be closed meanwhile.',
				'With a hardware wallet, confirm on the device; a PIN is entered on a pad of positions, so that it is never typed as digits.',
				'The page then shows the address, its QR code and the balance.'
			],
			text: [
				'Under Advanced are the settings for confirmations, UTXO consolidation, HD wallets, EVM contracts and gas. The defaults are those of the coins file.'
			],
			links: [{ label: 'Coins', href: '/kdf' }]
		},
		{
			id: 'restarted',
			title: 'After a restart of the node',
			text: [
				'A trading node forgets its tasks when it restarts. Komodeck notices, marks the activation, and lets you start it again; coins and keys are not affected.'
			]
		},
		{
			id: 'sign',
			title: 'Sign and verify messages',
			text: [
				'A signature proves control of an address and moves no coins. Sign only text that you understand: others may rely on it. The link of a signature lets anyone verify it.',
				'Verification is computed by Komodeck from the coin, the address, the message and the signature alone. Spaces and line breaks count.'
			],
			links: [{ label: 'Verify a message', href: '/kdf/verify' }]
		}
	]
};
