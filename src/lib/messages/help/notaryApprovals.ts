import type { HelpTopic } from './topic.ts';

export const notaryApprovals: HelpTopic = {
	title: 'Notary approvals',
	lead: 'Five notaries prove a burn where notarizations do not.',
	sections: [
		{
			id: 'ask',
			title: 'Ask for approvals',
			text: [
				'On the page of a migration that waits for a notarization, choose Request notary approvals. That publishes the burn; fungible tokens are excepted. Its amount and its recipient become public; a published burn appears on the page Notary approvals and in its JSON feed. Once five notaries have approved it on the destination, it is imported by the policy of the migration.'
			],
			links: [{ label: 'Notary approvals', href: '/notary-approvals' }]
		},
		{
			id: 'give',
			title: 'Approve as a notary',
			steps: [
				'Open a published burn and choose Check and approve. Komodeck reads the burn from the source chain itself and compares it with what was published.',
				'Review the approval transaction and send it from the wallet of a notary on the destination.',
				'A queue approves several burns after one another.'
			],
			text: [
				'Notaries without an account here make the approval with their own daemon and submit its transaction ID on the page of the burn. It counts once the destination has confirmed it.'
			]
		}
	]
};
