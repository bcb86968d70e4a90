/** Texts of the Electrum servers page. */

export const serversPage = {
	title: 'Electrum servers',
	lead: 'Servers that operators can choose besides those of the coins file. Operators cannot use other addresses.',
	empty: {
		title: 'No servers added',
		text: 'Servers of the coins file are always available.'
	},
	caption: 'Added servers',
	columns: {
		coin: 'Coin',
		server: 'Server',
		network: 'Network',
		added: 'Added',
		remove: 'Remove'
	},
	unchecked: ', certificate not checked',
	privateNetwork: 'Private network allowed',
	publicNetwork: 'Public',
	by: (member: string): string => `by ${member}`,
	remove: 'Remove',
	removeLabel: (url: string, coin: string): string => `Remove ${url} of ${coin}`,
	add: 'Add server',
	coin: 'Coin',
	server: 'Server',
	serverHint: 'host:port, without a scheme.',
	protocol: 'Protocol',
	certificate: 'Skip certificate check (insecure)',
	certificateHint:
		'Only for your own server with a self-signed certificate: the connection could be intercepted.',
	private: 'Allow a private network address',
	privateHint:
		'Allows exactly this address and port. KOMODECK_PRIVATE_SERVERS allows whole ranges.',
	faults: {
		coin: 'Enter a ticker of the coins file in capitals.',
		protocol: 'Choose TCP or SSL.'
	},
	added: (url: string, coin: string): string => `${url} was added for ${coin}.`,
	removed: 'The server was removed.',
	notFound: 'The server is not in the list.'
} as const;
