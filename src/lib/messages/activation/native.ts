/** What a native daemon lacks to be used by a trading node, and how to set it up. */
const reindex = (option: string): string =>
	`Add ${option}=1 to the daemon’s configuration file and restart it with -reindex. It reads the whole chain again, which takes hours on a long one.`;
const RESCAN =
	'The daemon then reads its whole chain again (a rescan), which takes hours on a long one.';

export const nativeWords = {
	option: {
		ok: (option: string): string => `${option}=1 is set.`,
		missing: (option: string): string => `The daemon runs without ${option}=1.`,
		unknown: (option: string): string => `Unknown whether ${option}=1 is set.`,
		mend: reindex,
		look: (option: string): string => `Check the daemon’s configuration file. ${reindex(option)}`
	},
	address: {
		ok: (address: string): string => `The daemon watches ${address}.`,
		missing: (address: string): string =>
			`The daemon does not watch ${address}, so the node would see no coins.`,
		mend: `Import the address. ${RESCAN} It responds slowly meanwhile.`,
		notTold: 'The daemon does not report whether it watches the node’s address.',
		mendByHand: (address: string): string => `Import it with importaddress "${address}".`,
		unknownYet: 'The address is unknown until the coin is active.',
		mendUnknownYet: `Once the coin is active, import the address that its page shows into the daemon’s wallet with importaddress. ${RESCAN}`,
		unknown: (address: string): string => `Unknown whether the daemon watches ${address}.`,
		mendUnknown: `Import the node’s address into the daemon’s wallet with importaddress. ${RESCAN}`
	}
} as const;
