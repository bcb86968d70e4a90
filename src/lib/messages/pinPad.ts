/** Texts of the pad on which the PIN of a hardware wallet is entered. */
export const PIN_PAD = {
	positions: 'Positions on the device',
	/** Name of each button, by the digit at the same position of a numeric keypad. */
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
