import type { HelpTopic } from './topic.ts';

export const migrations: HelpTopic = {
	title: 'Migrate coins and tokens',
	lead: 'Burn on one chain, prove the burn, import on the other.',
	sections: [
		{
			id: 'steps',
			title: 'The steps',
			steps: [
				'Burn: the coins or the token are destroyed on the source. This cannot be undone, so the review shows it first.',
				'Source notarization: notaries record the block of the burn on KMD and write the result back to the source.',
				'Proof: Komodeck requests the proof of the burn and extends it to the MoMoM of the destination.',
				'Destination notarization: the destination accepts the proof once its own notarization holds that MoMoM.',
				'Import: the amount that you entered is created on the destination. The import fee was added to the burn.',
				'Completed: the import is confirmed and final.'
			],
			text: [
				'You can close the page at any time: the server continues, also after a restart. Each step shows who acts, its transaction, and how long it took on this route before.'
			],
			links: [
				{ label: 'Migrate coins', href: '/migrations/new' },
				{ label: 'Migrate a token', href: '/migrations/new/token' },
				{ label: 'Routes', href: '/routes' }
			]
		},
		{
			id: 'where-to',
			title: 'Which chains can exchange',
			text: [
				'Chains exchange when they have the same CCid of 100 or higher and both are notarized. Few networks let fungible tokens migrate; the form says beforehand what a destination does not take.'
			]
		},
		{
			id: 'slow',
			title: 'A migration that takes long',
			points: [
				'“Waiting for source notarization” and “Waiting for destination notarization” depend on the notaries: minutes on a busy network, hours on a quiet one. Nothing is lost meanwhile.',
				'“Action required” says what is wrong and what to do next. The burn stays in its chain, and Try again continues from there.',
				'Notarizations prove a burn only for a time: the source notarization has to come within 1,440 blocks of the source after the burn, the next one of the destination within 1,440 blocks of KMD after that.',
				'When they do not come, choose Request notary approvals on the page of the migration. Notaries approve coins and non-fungible tokens, but no fungible ones.'
			],
			links: [{ label: 'Notary approvals', href: '/help/notary-approvals' }]
		},
		{
			id: 'recover',
			title: 'Continue a burn made elsewhere',
			text: [
				'Enter the transaction ID of the burn, or of its import, or the recovery file of another installation. Komodeck reads the chains, finds out how far it got, and continues from there. A burn that was imported already is shown as completed; it is never imported twice.'
			],
			links: [{ label: 'Recover a migration', href: '/migrations/recover' }]
		},
		{
			id: 'by-hand',
			title: 'Finish by hand',
			text: [
				'A migration needs no Komodeck to arrive. Its page and its recovery file hold the burn and the payouts in hex; these calls finish it with a daemon of each chain. Komodeck notices the import and shows the migration as completed.'
			],
			code: `# source chain, once the burn is notarized
migrate_createimporttransaction BURN PAYOUTS
# KMD, with an offset where the destination does not know the MoMoM
migrate_completeimporttransaction IMPORT OFFSET
# destination chain
sendrawtransaction IMPORT`,
			links: [{ label: 'RPC console', href: '/console' }]
		},
		{
			id: 'coin-control',
			title: 'Choose the UTXOs yourself',
			text: [
				'Advanced (coin control) burns selected UTXOs for one or several recipients, or a transaction that you paste. It is converted to a burn, funded and signed step by step, and reviewed as a whole.'
			],
			links: [{ label: 'Advanced migration', href: '/migrations/new/custom' }]
		}
	]
};
