/** Texts of the page of a migration. */

import { amountProse, namedAmount } from '#lib/text/amounts.ts';
import { count, plural } from '#lib/text/plural.ts';

export const migrationPage = {
	noSuch: 'There is no such migration.',
	recoveryRefused:
		'The recovery file holds signed bytes. Only members who may send the burn can download it, once the burn is confirmed.',
	refused: {
		movedOn: 'The migration has moved on since this page was shown. This is its current state.',
		rebuilt:
			'The UTXOs of the burn were spent meanwhile, so the burn was created again. Review and confirm it.',
		checks: 'A check failed, so nothing was sent now.',
		sameMember: 'You have already approved this import. A second member has to approve it, too.'
	},
	/** Base units are labeled as such: a bare number before a name would be read as a decimal amount. */
	ofToken: (units: bigint, decimals: number, name: string): string =>
		decimals === 0
			? `${plural(units, 'base unit')} of ${name}`
			: namedAmount(amountProse(units, decimals), name),
	/** Browser title, with the progress. */
	tab: (chains: string, done: number, steps: number): string => `(${done}/${steps}) ${chains}`,
	draft: {
		title: 'Nothing has been sent yet.',
		notApproved: 'Not approved',
		text: 'Burning is irreversible. Check the amount and the recipient.',
		steps: 'What will happen',
		to: 'to',
		on: (chain: string): string => `on ${chain}`
	},
	blocked: (reason: string, certain: boolean): string =>
		certain ? `${reason} Nothing was sent.`.trim() : reason,
	discarded: 'Nothing was burned, and the locked UTXOs are free again.',
	moving: 'No action is needed.',
	canClose: 'You can close this page.',
	burnApproval:
		'The policies ask other members to approve the burn. Nothing was sent, and its UTXOs stay locked; the migration continues automatically after the approval.',
	burnApprovalLink: 'Open approval request',
	needsApproval: (destination: string): string =>
		`The proof is complete. The import is sent to ${destination} once it is approved.`,
	arrived: {
		title: (destination: string, final: boolean): string =>
			`Arrived on ${destination}${final ? '' : ', not final yet'}.`,
		notFinal: (at: { height: number; confirmations: number; needed: number }): string =>
			`Block ${count(at.height)} holds the import: ${at.confirmations} of ${plural(at.needed, 'confirmation')}.`,
		awaitsNotarization: 'A notarization of that block is awaited.',
		took: (duration: string): string => `Duration: ${duration}.`,
		spendable: 'Spendable on the destination.',
		token: 'Name, description, supply and data are what was burned:',
		tokenLink: (destination: string): string => `token on ${destination}`
	},
	progress: (done: number, steps: number): string => `${done} of ${steps} steps done`,
	steps: 'Steps',
	stepsLabel: 'Steps of this migration',
	hex: (bytes: number): string => `Transaction in hex, ${plural(bytes, 'byte')}`,
	decode: 'Decode',
	buttons: {
		confirm: 'Confirm and send burn',
		confirmAgain: 'Check again and send burn',
		discard: 'Discard migration',
		approveImport: 'Approve import',
		sendImport: 'Send import',
		retry: 'Try again',
		publish: 'Request notary approvals',
		withdraw: 'Withdraw request'
	},
	operatorNeeded: 'An operator has to confirm this.',
	facts: {
		title: 'Details',
		route: 'Route',
		amount: 'Amount received',
		token: 'Token',
		unnamedToken: 'Token without a name',
		recipient: 'Recipient',
		recipientKey: 'Recipient public key',
		wallet: 'From wallet',
		policy: 'Import',
		time: 'Estimated time',
		windowLabel: 'Proof window',
		windowHint:
			'A notarization has to come within these blocks. After them notarizations cannot prove the burn any more.',
		window: (passed: number, of: number, chain: string): string =>
			`${count(passed)} of ${plural(of, 'block')} of ${chain} passed`,
		started: 'Started',
		by: (member: string): string => `by ${member}`,
		assigned: (member: string): string => `, assigned to ${member}`,
		duration: 'Duration',
		recoveryFile: 'Download recovery file'
	},
	approvals: {
		title: 'Notary approvals',
		text: 'Stuck? Ask five notaries to approve the burn instead. This publishes the amount and recipient.',
		published: (destination: string): string =>
			`The burn is published, so that notaries approve it on ${destination}:`,
		page: 'public page'
	},
	burn: {
		title: 'Burn transaction (decoded)',
		burned: 'Burned',
		burnedHint: 'The amount and the import fee.',
		remaining: 'Remaining',
		importFee: 'Import fee',
		input: 'Spends',
		of: 'of',
		change: 'Change',
		fee: (chain: string): string => `Network fee on ${chain}`,
		total: 'Total debited',
		size: 'Size',
		bytes: (bytes: number): string => plural(bytes, 'byte'),
		transaction: 'Transaction'
	},
	checks: 'Pre-flight checks',
	activity: 'Activity',
	times: (times: number): string => `(${plural(times, 'time')}, last`
} as const;
