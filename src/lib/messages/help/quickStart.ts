import type { HelpTopic } from './topic.ts';

export const quickStart: HelpTopic = {
	title: 'Quick start',
	lead: 'From the first login to the first migration.',
	sections: [
		{
			id: 'look-around',
			title: 'Look around',
			text: [
				'The sidebar lists the chains with their state, then the pages by what they are for. Each chain has its blocks, transactions, tokens, notarizations and transfers. The search field finds blocks, transactions, addresses, public keys and tokens of all chains; Ctrl K (⌘K on a Mac) opens the command palette, which also knows actions such as “migrate” or “invite”.',
				'Without daemons of your own, Komodeck starts Devnet: five small chains whose coins have no value. Everything can be tried there.'
			],
			links: [
				{ label: 'Overview', href: '/' },
				{ label: 'Search', href: '/search' }
			]
		},
		{
			id: 'roles',
			title: 'Who may do what',
			points: [
				'Viewers browse chains, transfers and migrations.',
				'Operators create tokens, send, migrate, activate coins and sign messages, with the wallets that an admin gives them.',
				'Notaries send and migrate, too, and approve burns as a notary.',
				'Admins do all of this with every wallet, and manage members, policies, safety controls and daemons.'
			],
			links: [{ label: 'My access', href: '/account/access' }]
		},
		{
			id: 'admin',
			title: 'Set up a team',
			steps: [
				'Connect your daemons: Komodeck finds the configuration files of daemons on this machine and says what each of them lacks.',
				'Invite members. Each gets a one-time link, a role, and the wallets that they may use.',
				'Set spending limits, or rules that ask other members for approval.',
				'Set up a second factor, and require it for roles that send.'
			],
			links: [
				{ label: 'Connect your daemons', href: '/admin/connect-daemons' },
				{ label: 'Members', href: '/admin/members' },
				{ label: 'Policies', href: '/admin/policies' },
				{ label: 'Security', href: '/admin/security' }
			]
		},
		{
			id: 'first-transaction',
			title: 'Send a first transaction',
			steps: [
				'Open the wallet of a chain and choose Send, or create a token on the tokens page of a chain.',
				'Fill in the form and choose Review. The daemon builds and signs the transaction; nothing is sent yet.',
				'Read the review: who is paid, what it takes in total, and the fee.',
				'Choose the button that sends. The page shows when the transaction is confirmed, and when it is final.'
			],
			links: [
				{ label: 'Wallets', href: '/wallets' },
				{ label: 'Send and review', href: '/help/sending' }
			]
		}
	]
};
