import type { HelpTopic } from './topic.ts';

export const controls: HelpTopic = {
	title: 'Limits, policies and approvals',
	lead: 'What decides whether a transaction may be sent.',
	sections: [
		{
			id: 'order',
			title: 'What is asked, in order',
			steps: [
				'Safety controls: while sending is frozen or the console is read-only, nothing is sent.',
				'Role and wallet: the member’s role must allow it, and an admin must have given them the wallet.',
				'Policies: the first rule that fits allows, denies, or asks other members for approval. If something that a rule asks for is not known, the transaction is denied.',
				'Spending limits: how many transactions and how much a member may send on a chain within 24 hours, from pages, migrations and scripts together.',
				'API tokens can have limits of their own, in addition.'
			]
		},
		{
			id: 'approvals',
			title: 'Approvals',
			text: [
				'A request shows the decoded transaction and which rules asked for it. Who made it never counts as an approver. When enough members have approved, exactly the bytes that they saw can be sent, once: migrations, batch transfers and approval queues go on by themselves; any other transaction is sent from its page, or again by the script.',
				'A change of what was approved, of the rule or of the transaction, makes the request void: nothing is sent, and it can be asked for again.'
			],
			links: [{ label: 'Approvals', href: '/approvals' }]
		},
		{
			id: 'changes',
			title: 'Changes of rights',
			text: [
				'Under Policies an admin sets how many other admins approve changes of policies, roles, wallets, limits and security settings, invitations with wallets or rights, and turning off a safety control. They are listed under Approvals. What takes rights away is never held up.'
			],
			links: [{ label: 'Approval of changes', href: '/admin/policies#changes' }]
		},
		{
			id: 'emergency',
			title: 'In an emergency',
			points: [
				'Freeze sending stops everything that spends, for everyone. Migrations pause and resume afterwards.',
				'Read-only mode also stops every other change of a daemon.',
				'Disable the account of a member, or end their sessions and tokens, on the page of the member.'
			],
			links: [{ label: 'Safety controls', href: '/admin/safety' }]
		}
	]
};
