/** Texts of the self-import pages. */
import { amountProse } from '#lib/text/amounts.ts';

/** The two transactions of a self-import. */
type Part = 'source' | 'import';

export const selfImportForm = {
	title: (chain: string): string => `Self-import on ${chain}`,
	lead: 'The owner of the chain’s ac_pubkey creates coins without a burn. You will review both transactions before they are sent.',
	notCreated: 'Nothing was sent',
	unavailable: 'Self-import unavailable',
	silent: (chain: string): string => `The daemon of ${chain} has not answered in time.`,
	tryAgain: 'Try again in a moment.',
	recipient: 'Recipient address',
	recipientHint:
		'Starts with R. Not an address of the issuing wallet: that wallet should hold only the key of ac_pubkey.',
	amount: 'Amount to create',
	amountHint: 'Received in full: the import has no fee.',
	review: 'Review self-import',
	cancel: 'Cancel',
	cost: 'Cost',
	debited: 'Total debited',
	costHint: (chain: string): string =>
		`A fee of 0.0001 ${chain}, plus 0.0001 ${chain} that the source pays to the recipient.`,
	wallet: 'Issuing wallet',
	list: 'Self-imports',
	caption: 'Self-imports, newest first',
	columns: {
		created: 'Created',
		amount: 'Amount',
		recipient: 'Recipient',
		source: 'Source',
		import: 'Import'
	},
	by: (member: string): string => `by ${member}`
} as const;

export const selfImportPage = {
	noSuch: 'There is no such self-import here.',
	title: (amount: bigint, chain: string): string =>
		`Self-import of ${amountProse(amount)} ${chain}`,
	lead: 'Two transactions: the source, which sets the amount, and the import, which creates it. You confirm once; the import follows when the source is confirmed.',
	lockedUntil: 'Signed and verified: both transactions match your request. Inputs are locked until',
	unlocked: 'Nothing was sent, and the inputs are unlocked.',
	sourceRejected: {
		title: (chain: string): string => `${chain} rejected the source. No funds were moved.`,
		titleSoFar: (chain: string): string =>
			`${chain} rejected the source. No funds were moved so far.`,
		watched:
			'A block could still take it, and the import would follow. Komodeck watches it until it expires or a final block spends one of its inputs otherwise.',
		final: 'It cannot be confirmed any more.'
	},
	sourceUnknown: {
		title: 'Source status unknown',
		text: (daemon: string): string =>
			`The source is neither confirmed nor in the mempool, as far as ${daemon} reports.`
	},
	sourcePending: {
		title: 'Source pending',
		text: 'The import is sent automatically. You can close this page.'
	},
	done: {
		title: 'Coins created',
		text: (amount: bigint, chain: string, address: string): string =>
			`${amountProse(amount)} ${chain} created for ${address}.`,
		inBlock: 'Confirmed in block',
		view: 'View import'
	},
	importRejected: {
		title: (chain: string): string => `${chain} rejected the import`,
		text: 'The source is confirmed and stays valid: fix the reason, then send the same import again.'
	},
	importUnknown: {
		title: 'Import status unknown',
		text: 'Komodeck looks the import up, and sends the same bytes again if they are unknown. They can be confirmed only once.'
	},
	importPending: {
		title: 'Import pending',
		text: (chain: string): string =>
			`${chain} accepted the import. Usually confirmed with the next block.`
	},
	sendingImport: {
		title: 'Source confirmed, sending the import',
		text: 'This takes a few seconds. You can close this page.'
	},
	importKept: {
		title: 'Source confirmed, import not sent yet',
		text: (why: string): string =>
			`${why} Komodeck tries again by itself, and sends the import once.`
	},
	create: 'Create coins',
	left: (duration: string): string => `${duration} left to confirm`,
	sendImport: 'Send import',
	request: 'Request',
	amount: 'Amount',
	recipient: 'Recipient',
	copiedRecipient: 'address',
	costHint: (chain: string): string =>
		`Total debited; 0.0001 ${chain} of it goes to the recipient.`,
	parts: { source: '1. Source', import: '2. Import' },
	sourceAwaits: 'Source awaits approval',
	block: 'Block',
	inputsOf: (part: Part): string => `Inputs of the ${part}`,
	outputsOf: (part: Part): string => `Outputs of the ${part}`,
	bytesHidden: (part: Part): string =>
		`The signed bytes of the ${part} are shown once sent: anyone with the signed bytes could send them.`,
	hexOf: (part: Part): string => `Hex of the ${part}`,
	decode: (part: Part): string => `Decode the ${part} byte by byte`
} as const;
