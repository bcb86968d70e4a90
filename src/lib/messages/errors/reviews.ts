import { baseUnitsOf, coins } from '../coins.ts';
import { withStatus, type ErrorArea } from './define.ts';

/** Satoshi, as decimal digits. */
type Satoshi = string;
/** Base units of a token, as decimal digits. */
type Units = string;

const payee = (address: string | null): string => address ?? 'a script without an address';

/** Facts of a token that are not named by their code. Rows of early releases have the words. */
const ARRIVED: Readonly<Record<string, string>> = {
	'import-mark': 'mark of an import',
	'source-chain': 'source chain',
	'source-id': 'id on the source'
};

/** An amount that differs from the requested one, in coins of a chain. */
interface Compared {
	amount: Satoshi;
	asked: Satoshi;
	chain: string;
}

const BYTES = {
	burn: 'a burn',
	'composed-transaction': 'a transaction',
	'funded-burn': 'a funded burn',
	import: 'an import',
	payouts: 'payouts'
} as const;

/** A built transaction of a migration that differs from what was requested. */
export const reviews = {
	'review.unreadable': {
		status: 502,
		message: ({ what }: { what: keyof typeof BYTES }) =>
			`The daemon gave ${BYTES[what]} that cannot be read.`
	},
	...withStatus(502, {
		'review.burn-not-last': () =>
			'The burn is not the last output of the transaction: no chain would recognize it, and what it burns would be lost.',
		'review.no-burn': () => 'The last output of the transaction is not a burn.',
		'review.burn-extra-bytes': () =>
			'The burn has bytes that do not belong in a burn: no chain would import it, and the burned amount would be lost.',
		'review.wrong-destination': (params: {
			destination: string;
			ccid: number;
			askedDestination: string;
			askedCcid: number;
		}) =>
			`The burn is for ${params.destination} with the id ${params.ccid}, not for ${params.askedDestination} with ${params.askedCcid}.`,
		'review.wrong-source': ({ source, asked }: { source: string; asked: string }) =>
			`The burn says that it comes from ${source}, not from ${asked}.`,
		'review.burn-other-payouts': () =>
			'The burn was made for other payouts than the daemon showed: the import would be refused.',
		'review.not-one-payout': () => 'The import would not pay exactly one output.',
		'review.wrong-amount': ({ amount, asked, chain }: Readonly<Compared>) =>
			`${coins(amount, chain)} would arrive, but ${coins(asked, chain)} were asked for.`,
		'review.wrong-burn-amount': ({ amount, asked, chain }: Readonly<Compared>) =>
			`The transaction burns ${coins(amount, chain)}; ${coins(asked, chain)} were to be burned.`,
		'review.wrong-recipient': ({ address, asked }: { address: string | null; asked: string }) =>
			`The import would not pay to ${asked}, but to ${payee(address)}.`,
		'review.burns-token': () => 'The transaction burns a token; coins were asked for.',
		'review.burns-coins': () => 'The transaction burns coins; a token was asked for.',
		'review.unbalanced': ({
			spent,
			accounted,
			chain
		}: {
			spent: Satoshi;
			accounted: Satoshi;
			chain: string;
		}) => `The burn spends ${coins(spent, chain)} and accounts for ${coins(accounted, chain)}.`,
		'review.fee-too-high': ({
			spent,
			accounted,
			fee,
			chain
		}: {
			spent: Satoshi;
			accounted: Satoshi;
			fee: Satoshi;
			chain: string;
		}) =>
			`The burn spends ${coins(spent, chain)} and accounts for ${coins(accounted, chain)}: ${coins(fee, chain)} would go to the miners.`,
		'review.composed-other': () =>
			'The transaction that the daemon composed spends or pays something else than was asked for.',
		'review.other-payouts': () => 'The import would pay something else than was asked.',
		'review.converted-more': () => 'The converted transaction has more than the burn.',
		'review.converted-other-inputs': () => 'The converted transaction spends other outputs.'
	}),
	'review.unfunded': {
		status: 409,
		message: () =>
			'The outputs that the burn spends do not pay its fee, and the daemon adds none to them. Nothing was sent: choose one output more.'
	},
	...withStatus(502, {
		'review.funded-other-inputs': () => 'The funded burn spends other outputs than chosen.',
		'review.signed-other': () => 'The signed burn is not the one that was to be signed.',
		'review.other-inputs': () => 'The burn does not spend the outputs that were chosen.',
		'review.token-other-facts': () =>
			'The import would create a token of another name, description or data.',
		'review.token-other-creator': () => 'The import would name another creator of the token.'
	}),
	'review.token-imported': {
		status: 409,
		message: () =>
			'This token was imported itself, and the daemon would put the old import into the new one: the destination would refuse it, and the token would be lost.'
	},
	...withStatus(502, {
		'review.token-no-outputs': () => 'The import would not have the outputs of a token.',
		'review.token-unlisted': () => 'The import would not put the token into the list.',
		'review.token-wrong-amount': ({ amount, asked }: { amount: Units; asked: Units }) =>
			`${baseUnitsOf(amount)} would arrive, but ${asked} were asked for.`,
		'review.token-wrong-recipient': () =>
			'The import would give the units to another key than was asked for.',
		'review.token-not-created': () => 'The import would not create the token.',
		'review.other-token': () => 'The transaction burns another token.',
		'review.not-to-burn-key': () => 'The units would not go to the burn key.',
		'review.token-wrong-fee': ({
			amount,
			usual,
			chain
		}: {
			amount: Satoshi;
			usual: Satoshi;
			chain: string;
		}) =>
			`The transaction burns ${coins(amount, chain)} for the import’s fee, and ${coins(usual, chain)} are usual.`,
		'review.token-wrong-burn-amount': ({ amount, asked }: { amount: Units; asked: Units }) =>
			`The transaction burns ${baseUnitsOf(amount)}; ${asked} were to be burned.`,
		'review.spends-other-token': () => 'The burn would spend units of another token.',
		'review.token-unbalanced': ({ spent, accounted }: { spent: Units; accounted: Units }) =>
			`The burn takes ${baseUnitsOf(spent)} and gives ${accounted}.`,
		'review.no-import': () => 'The transaction that the daemon gave is not an import.',
		'review.other-burn': () => 'The import is for another burn.',
		'review.import-wrong-destination': ({
			destination,
			ccid
		}: {
			destination: string;
			ccid: number;
		}) => `The burn in the import is not meant for ${destination} with the id ${ccid}.`,
		'review.import-other-payouts': () => 'The import pays something else than the burn allows.',
		'review.import-wrong-value': ({
			burned,
			paid,
			chain
		}: {
			burned: Satoshi;
			paid: Satoshi;
			chain: string;
		}) =>
			`No chain accepts the import of this burn: it burns ${coins(burned, chain)}, and its payouts are ${coins(paid, chain)}. The difference may be ${coins('10000', chain)} at most.`,
		'review.no-proof': () => 'The import has no proof of notarizations.',
		'review.empty-proof': () => 'The proof in the import leads nowhere.',
		'review.other-approvals': () => 'The import has other approvals than were collected.',
		'review.arrived-burn-unreadable': () => 'The burn of the token cannot be read any more.',
		'review.arrived-other': (params: {
			chain: string;
			fact: string;
			found: string;
			burned: string;
		}) =>
			`The token that arrived on ${params.chain} is not the one that was burned: its ${ARRIVED[params.fact] ?? params.fact} is “${params.found}” and not “${params.burned}”.`
	}),
	// Checks that every built transaction passes had codes of their own here: drafts of early releases hold them.
	...withStatus(409, {
		'review.burn-unsigned': () =>
			'The daemon built the burn but could not sign it: its wallet is locked or lacks the key. Unlock the wallet and try again.',
		'review.input-unsigned': () =>
			'Not every input of the burn is signed: the wallet is locked or lacks a key. Unlock the wallet and try again.'
	}),
	...withStatus(502, {
		'review.signature-partial': ({ input }: { input: number }) =>
			`The signature of input ${input} does not cover the whole burn: anyone could change where it pays.`,
		'review.signature-invalid': ({ input }: { input: number }) =>
			`The signature of input ${input} is not good.`,
		'review.shielded': () => 'The burn touches the shielded pool; that was not asked.',
		'review.foreign-change': ({
			amount,
			address,
			chain
		}: {
			amount: Satoshi;
			address: string | null;
			chain: string;
		}) =>
			`The burn also pays ${coins(amount, chain)} to ${payee(address)}, which is not the wallet’s own address.`,
		'review.input-unknown': ({ utxo }: { utxo: string }) =>
			`The output ${utxo} that the burn spends is unknown.`,
		'review.spends-token': () => 'The burn would spend units of a token as if they were coins.'
	})
} as const satisfies ErrorArea<'review'>;
