/** Texts of the devnet panel. */
export const DEVNET = {
	title: 'Devnet',
	lead: 'The embedded test network: small real chains whose coins have no value. Admins can mine, notarize and simulate outages here.',
	offline: 'Devnet does not answer. Restart Komodeck to start devnet again.',
	none: 'No embedded devnet is running here.',
	failed: 'Devnet did not do this. Load the page again to see its state.',
	chains: 'Chains',
	daemons: 'Daemons',
	device: 'Virtual hardware wallet',
	plugged: 'Connected',
	unplugged: 'Disconnected',
	display: 'Display',
	noPin: 'No PIN requested',
	pin: 'PIN positions, as on a keyboard with 7 8 9 on top',
	reset: {
		title: 'Reset devnet',
		text: 'Resets all chains to their initial state: the same wallets and addresses, new blocks. It takes a few seconds.',
		gone: 'Gone: every block, token, balance and notarization since then.',
		kept: 'Kept: members, address book, settings, the audit log, and the lists of migrations and transactions. What they name is on no chain any more; a migration that is under way cannot complete.',
		sure: 'Reset all chains',
		button: 'Reset devnet',
		unconfirmed: 'Tick the box to reset devnet. Nothing was changed.'
	},
	chainFacts: (height: string, mempool: string): string => `${height}, ${mempool} in the mempool`,
	/** Confirmations, by kind of action. */
	done: {
		mine: (chain: string): string => `A block was mined on ${chain}.`,
		notarize: (chain: string): string => `${chain} was notarized.`,
		stop: (daemon: string): string => `${daemon} is offline now.`,
		slow: (daemon: string): string => `${daemon} answers slowly now.`,
		restore: (daemon: string): string => `${daemon} answers again.`,
		plug: (): string => 'The device is connected.',
		unplug: (): string => 'The device is disconnected.',
		reset: (): string => 'Devnet was reset.'
	},
	states: { online: 'Online', slow: 'Degraded', offline: 'Offline' },
	acts: {
		mine: 'Mine block',
		notarize: 'Notarize',
		stop: 'Stop',
		slow: 'Slow down',
		restore: 'Restore',
		plug: 'Connect device',
		unplug: 'Disconnect device'
	}
} as const;
