/** Texts of the pages of daemons: the list, and a single one. */
import { count } from '#lib/text/plural.ts';
import { PAGE_NAMES } from '../navigation.ts';

export const DAEMONS = {
	title: PAGE_NAMES.daemons,
	lead: 'Connected daemons, with their capabilities',
	none: {
		title: 'No daemon is configured',
		text: 'Start one on this machine, or name them in KOMODECK_CONFIG.'
	},
	caption: 'Daemons',
	columns: {
		daemon: 'Daemon',
		chain: 'Chain',
		usedFor: 'Used for',
		state: 'State',
		lastResponse: 'Last response',
		version: 'Version'
	},
	noResponse: 'None yet'
} as const;

export const DAEMON = {
	title: (id: string): string => `Daemon ${id}`,
	lead: 'Start-up parameters, capabilities and requirements',
	unknown: (id: string): string => `No daemon called “${id}” is configured here.`,
	unavailable: 'Some data is unavailable',
	health: {
		title: 'Health',
		state: 'State',
		since: 'since',
		details: 'Details',
		lastResponse: 'Last response',
		calls: 'Calls now',
		callsNow: (active: number, queued: number): string =>
			`${count(active)} active, ${count(queued)} queued`,
		mismatches: 'Unexpected responses',
		unknownErrors: 'Unknown errors',
		sinceStart: 'Since Komodeck started',
		unknownError: (method: string, n: number, last: string): string =>
			`${method}: ${count(n)}, last “${last}”`,
		blocks: 'Blocks',
		/**
		 * @param longest the height that peers report: 0 when none does, and lower than `blocks` when they lag
		 * behind
		 */
		blocksOf: (blocks: number, longest: number, synced: boolean): string =>
			`${count(blocks)}${longest >= blocks ? ` of ${count(longest)}` : ''}${synced ? '' : ', not in sync with the network'}`,
		peers: 'Peers',
		relayFee: 'Relay fee',
		relayFeeHint: 'Per 1\u202f000 bytes'
	},
	identity: {
		title: 'Identity',
		chain: 'Chain',
		usedFor: 'Used for',
		address: 'Address',
		release: 'Release',
		notReported: 'Not reported',
		version: (number: number): string => `, version ${number}`,
		protocol: 'Protocol',
		userAgent: 'User agent',
		dialect: 'RPC dialect',
		dialectHint: 'How parameters and results are encoded',
		dialects: { komodod: 'Release 0.9.0', seed: 'Interface document' },
		pubkey: 'Wallet public key',
		noPubkey: 'None',
		copied: 'wallet public key',
		balance: 'Wallet balance',
		openWallet: 'Open wallet',
		noWallet: 'No wallet',
		notary: 'Notary',
		notaryNumber: (number: number): string => `Number ${number} of the season`
	},
	needs: {
		caption: (group: string): string => `Requirements ${group.toLowerCase()}`,
		columns: { what: 'Requirement', state: 'State', details: 'Details', fix: 'How to fix' },
		marks: { ok: 'OK', missing: 'Missing', warn: 'Restricted', unknown: 'Unknown' }
	},
	startUp: {
		title: 'Start-up',
		caption: 'Start-up parameters',
		columns: { parameter: 'Parameter', value: 'Value', from: 'Known from' },
		upgrade: (height: number, status: string): string => `from block ${count(height)}, ${status}`,
		unset: 'Not configured'
	},
	capabilities: {
		title: 'Capabilities',
		note: 'From getinfo, its indexes and probes',
		caption: 'Capabilities of the daemon',
		columns: { what: 'Capability', state: 'State', why: 'Why', methods: 'Methods' },
		yes: 'Yes',
		no: 'No',
		unknown: 'Unknown'
	}
} as const;
