/** Texts of the batch transfer pages. */
import { count, plural } from '#lib/text/plural.ts';

export const BATCH_STATES = {
	reviewed: 'Awaiting review',
	running: 'Sending',
	stopped: 'Stopped',
	done: 'Done',
	discarded: 'Discarded'
} as const;

/** States of one transfer of a batch. */
export const LINE_STATES = {
	failed: 'Failed',
	queued: 'Queued',
	/** In a batch that was discarded. */
	unsent: 'Not sent',
	unknown: 'Unknown',
	awaiting: 'Awaiting approval',
	sending: 'Sending',
	confirmed: 'Confirmed',
	pending: 'Pending'
} as const;

export const batchForm = {
	title: (token: string): string => `Batch transfer of ${token}`,
	lead: 'You will review the whole batch before it is sent. Each recipient gets a separate transaction, sent one after the other.',
	notSaved: 'Batch not saved',
	wrongRows: (rows: number): string => `${plural(rows, 'row')} cannot be sent`,
	fixRows: 'Fix the marked rows. Nothing was sent.',
	done: 'transferred',
	recipients: 'Recipients',
	emptyRows: 'Empty rows are ignored.',
	recipientOf: (row: number): string => `Recipient ${row}`,
	recipient: (row: number): string => `${row}. Public key or label`,
	amount: 'Amount',
	amountInBaseUnits: 'Amount in base units',
	total: 'Total',
	of: 'of',
	available: 'available',
	insufficient: 'insufficient balance',
	review: 'Review batch',
	moreRows: 'More rows',
	paste: 'Paste a list',
	lines: 'Lines',
	pasteHint: (most: number): string =>
		`A line for each recipient: public key or label, then the amount, separated by a comma, a semicolon or a tab, after a public key also by a space. Up to ${most}.`,
	fill: 'Fill rows',
	earlier: 'Earlier batches of this token',
	by: (member: string): string => `by ${member}`,
	nothingPasted: 'Paste a line for each recipient.',
	tooMuch: (most: number): string =>
		`Too much text for one batch: ${count(most)} characters are the most.`,
	tooMany: (rows: number, most: number): string =>
		`These would be ${plural(rows, 'recipient')}; ${most} are the most for one batch.`,
	knownKey: (chain: string, txid: string, pubkey: string): string =>
		`${chain} knows its public key, from transaction ${txid}: ${pubkey}`
} as const;

export const batchPage = {
	title: (token: string, recipients: number): string =>
		`${token} to ${plural(recipients, 'recipient')}`,
	unsent: 'Nothing has been sent yet. Check every row before you send.',
	separate:
		'Each transfer is a separate transaction. Sent transfers stay sent, whatever happens to the others.',
	failed: 'Request failed',
	repeated: {
		title: 'Recipients in several rows',
		rows: (rows: readonly number[]): string => `in rows ${rows.join(', ')}: receives all of them.`
	},
	toSelf: (rows: readonly number[]): string =>
		`${rows.length === 1 ? 'Row' : 'Rows'} ${rows.join(', ')}: the recipient is this wallet itself.`,
	foreseen: {
		title: 'Approvals needed',
		/** @param transfers number of transfers that need approval, of `total` */
		text: (rule: number, needed: number, transfers: number, total: number): string =>
			`Rule ${rule} of the policies asks ${needed === 1 ? 'one other member' : `${needed} other members`} to approve ${transfers === total ? (total === 1 ? 'this transfer' : `each of the ${total} transfers`) : `${transfers} of the ${total} transfers`}.`,
		next: 'Each asks for its approval in its turn, and those behind it wait for it too.',
		refused: (row: number): string => `The transfer of row ${row} would be refused now`,
		stops: 'The batch would stop there.'
	},
	nothingSent: 'Nothing has been sent yet',
	pace: 'Change must be confirmed before it can be spent again: a batch from one UTXO takes about one block per row.',
	stopped: 'Stopped',
	stoppedByMember: 'Stopped by a member.',
	sentSoFar: (sent: number, left: number): string =>
		`${plural(sent, 'transfer')} sent, ${left} not sent.`,
	allConfirmed: 'All transfers confirmed',
	someConfirmed: (confirmed: number, total: number): string => `${confirmed} of ${total} confirmed`,
	someFailed: (failed: number): string =>
		`${plural(failed, 'transfer')} failed: no tokens were moved by them so far.`,
	progress: (sent: number, total: number, confirmed: number): string =>
		`${sent} of ${total} sent, ${confirmed} confirmed`,
	approval: 'Open approval request',
	continues: 'The batch continues automatically. You can close this page.',
	discardedUnsent: 'Discarded: nothing was sent',
	discarded: 'Discarded',
	/** @param transfers number of transfers with a transaction that is not decided yet */
	undecided: (transfers: number): string =>
		`${plural(transfers, 'transfer')} may still be sent: the page of ${transfers === 1 ? 'its transaction' : 'each transaction'} shows what became of it.`,
	discardable:
		'You can discard the transfers that were not sent. Sent transfers stay sent. A transaction that was built already has its own page, where it can be sent or discarded.',
	send: (transfers: number): string => `Send ${plural(transfers, 'transfer')}`,
	discard: 'Discard',
	discardUnsent: 'Discard unsent transfers',
	edit: 'Edit rows',
	stop: 'Stop',
	resume: 'Resume',
	retry: 'Retry failed transfers',
	batch: 'Batch',
	state: 'State',
	total: 'Total',
	fees: 'Fees',
	feesHint: 'One per transfer; up to three times as much with small UTXOs.',
	token: 'Token',
	wallet: 'Wallet',
	created: 'Created',
	by: (member: string): string => `by ${member},`,
	confirmedBy: (member: string): string => `confirmed by ${member},`,
	transfers: 'Transfers',
	rows: (rows: number): string => plural(rows, 'row'),
	caption: 'Transfers of this batch',
	columns: {
		row: 'Row',
		recipient: 'Recipient',
		amount: 'Amount',
		state: 'State',
		transaction: 'Transaction'
	},
	noSuch: 'There is no such batch transfer of this token.',
	unnamed: 'the token'
} as const;
