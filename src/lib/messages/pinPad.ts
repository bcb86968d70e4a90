/** The pad by which the PIN of a hardware wallet is entered. */
export const PIN_PAD = {
	positions: 'Positions on the device',
	/** By the key of a numeric keyboard that stands in the same place. */
	names: {
		'7': 'top left',
		'8': 'top middle',
		'9': 'top right',
		'4': 'middle left',
		'5': 'center',
		'6': 'middle right',
		'1': 'bottom left',
		'2': 'bottom middle',
		'3': 'bottom right'
	},
	pressed: (n: number): string => `${n} pressed`,
	delete: 'Delete',
	digits: 'Positions of the digits',
	digitsHint: 'As on numeric keys: 7 8 9 above, 1 2 3 below.',
	passphrase: 'Passphrase of the wallet on the device',
	passphraseHint: 'Empty for the ordinary wallet.',
	sendPin: 'Send to the device',
	sendPassphrase: 'Send'
} as const;
