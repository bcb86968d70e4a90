import { plural } from '#lib/text/plural.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import type { ErrorArea } from './define.ts';

/** Satoshi, as digits. */
type Satoshi = string;
/** Base units of a token, as digits. */
type Units = string;

const coins = (amount: Satoshi): string => formatCoins(BigInt(amount));
const baseUnitsOf = (units: Units): string => plural(BigInt(units), 'base unit');
const payee = (address: string | null): string => address ?? 'a script without an address';

const BYTES = {
	burn: 'a burn',
	'composed-transaction': 'a transaction',
	'funded-burn': 'a funded burn',
	import: 'an import',
	payouts: 'payouts'
} as const;

/** Built bytes of a migration that are not what was asked for. */
export const reviews = {
	'review.unreadable': {
		status: 502,
		message: ({ what }: { what: keyof typeof BYTES }) =>
			`The daemon gave ${BYTES[what]} that cannot be read.`
	},
	'review.burn-unsigned': {
		status: 409,
		message: () =>
			'The daemon built the burn but could not sign it: its wallet is locked or lacks the key. Unlock the wallet and try again.'
	},
	'review.input-unsigned': {
		status: 409,
		message: () =>
			'Not every input of the burn is signed: the wallet is locked or lacks a key. Unlock the wallet and try again.'
	},
	'review.signature-partial': {
		status: 502,
		message: ({ input }: { input: number }) =>
			`The signature of input ${input} does not cover the whole burn: anybody could change where it pays.`
	},
	'review.signature-invalid': {
		status: 502,
		message: ({ input }: { input: number }) => `The signature of input ${input} is not good.`
	},
	'review.shielded': {
		status: 502,
		message: () => 'The burn touches the shielded pool; that was not asked.'
	},
	'review.burn-not-last': {
		status: 502,
		message: () =>
			'The burn is not the last output of the transaction: no chain would recognize it, and what it burns would be lost.'
	},
	'review.no-burn': {
		status: 502,
		message: () => 'The last output of the transaction is not a burn.'
	},
	'review.burn-extra-bytes': {
		status: 502,
		message: () =>
			'The burn has bytes that do not belong in a burn: no chain would import it, and the burned amount would be lost.'
	},
	'review.wrong-destination': {
		status: 502,
		message: (params: {
			destination: string;
			ccid: number;
			askedDestination: string;
			askedCcid: number;
		}) =>
			`The burn is for ${params.destination} with the id ${params.ccid}, not for ${params.askedDestination} with ${params.askedCcid}.`
	},
	'review.wrong-source': {
		status: 502,
		message: ({ source, asked }: { source: string; asked: string }) =>
			`The burn says that it comes from ${source}, not from ${asked}.`
	},
	'review.burn-other-payouts': {
		status: 502,
		message: () =>
			'The burn was made for other payouts than the daemon showed: the import would be refused.'
	},
	'review.foreign-change': {
		status: 502,
		message: ({ amount, address }: { amount: Satoshi; address: string | null }) =>
			`The burn also pays ${coins(amount)} coins to ${payee(address)}, which is not the wallet's own address.`
	},
	'review.input-unknown': {
		status: 502,
		message: ({ utxo }: { utxo: string }) => `The output ${utxo} that the burn spends is unknown.`
	},
	'review.spends-token': {
		status: 502,
		message: () => 'The burn would spend units of a token as if they were coins.'
	},
	'review.not-one-payout': {
		status: 502,
		message: () => 'The import would not pay exactly one output.'
	},
	'review.wrong-amount': {
		status: 502,
		message: ({ amount, asked }: { amount: Satoshi; asked: Satoshi }) =>
			`${coins(amount)} coins would arrive, but ${coins(asked)} were asked for.`
	},
	'review.wrong-burn-amount': {
		status: 502,
		message: ({ amount, asked }: { amount: Satoshi; asked: Satoshi }) =>
			`The transaction burns ${coins(amount)} coins; ${coins(asked)} were to be burned.`
	},
	'review.wrong-recipient': {
		status: 502,
		message: ({ address, asked }: { address: string | null; asked: string }) =>
			`The import would not pay to ${asked}, but to ${payee(address)}.`
	},
	'review.burns-token': {
		status: 502,
		message: () => 'The transaction burns a token; coins were asked for.'
	},
	'review.burns-coins': {
		status: 502,
		message: () => 'The transaction burns coins; a token was asked for.'
	},
	'review.unbalanced': {
		status: 502,
		message: ({ spent, accounted }: { spent: Satoshi; accounted: Satoshi }) =>
			`The burn spends ${coins(spent)} coins and accounts for ${coins(accounted)}.`
	},
	'review.fee-too-high': {
		status: 502,
		message: ({ spent, accounted, fee }: { spent: Satoshi; accounted: Satoshi; fee: Satoshi }) =>
			`The burn spends ${coins(spent)} coins and accounts for ${coins(accounted)}: ${coins(fee)} would go to the miners.`
	},
	'review.composed-other': {
		status: 502,
		message: () =>
			'The transaction that the daemon composed spends or pays something else than was asked for.'
	},
	'review.other-payouts': {
		status: 502,
		message: () => 'The import would pay something else than was asked.'
	},
	'review.converted-more': {
		status: 502,
		message: () => 'The converted transaction has more than the burn.'
	},
	'review.converted-other-inputs': {
		status: 502,
		message: () => 'The converted transaction spends other outputs.'
	},
	'review.unfunded': {
		status: 409,
		message: () =>
			'The outputs that the burn spends do not pay its fee, and the daemon adds none to them. Nothing was sent: choose one output more.'
	},
	'review.funded-other-inputs': {
		status: 502,
		message: () => 'The funded burn spends other outputs than chosen.'
	},
	'review.signed-other': {
		status: 502,
		message: () => 'The signed burn is not the one that was to be signed.'
	},
	'review.other-inputs': {
		status: 502,
		message: () => 'The burn does not spend the outputs that were chosen.'
	},
	'review.token-other-facts': {
		status: 502,
		message: () => 'The import would create a token of another name, description or data.'
	},
	'review.token-other-creator': {
		status: 502,
		message: () => 'The import would name another owner of the token.'
	},
	'review.token-imported': {
		status: 409,
		message: () =>
			'This token was imported itself, and the daemon would put the old import into the new one: the destination would refuse it, and the token would be lost.'
	},
	'review.token-no-outputs': {
		status: 502,
		message: () => 'The import would not have the outputs of a token.'
	},
	'review.token-unlisted': {
		status: 502,
		message: () => 'The import would not put the token into the list.'
	},
	'review.token-wrong-amount': {
		status: 502,
		message: ({ amount, asked }: { amount: Units; asked: Units }) =>
			`${baseUnitsOf(amount)} would arrive, but ${asked} were asked for.`
	},
	'review.token-wrong-recipient': {
		status: 502,
		message: () => 'The import would give the units to another key than was asked for.'
	},
	'review.token-not-created': {
		status: 502,
		message: () => 'The import would not create the token.'
	},
	'review.other-token': {
		status: 502,
		message: () => 'The transaction burns another token.'
	},
	'review.not-to-burn-key': {
		status: 502,
		message: () => 'The units would not go to the burn key.'
	},
	'review.token-wrong-fee': {
		status: 502,
		message: ({ amount, usual }: { amount: Satoshi; usual: Satoshi }) =>
			`The transaction burns ${coins(amount)} coins for the import's fee, and ${coins(usual)} are usual.`
	},
	'review.token-wrong-burn-amount': {
		status: 502,
		message: ({ amount, asked }: { amount: Units; asked: Units }) =>
			`The transaction burns ${baseUnitsOf(amount)}; ${asked} were to be burned.`
	},
	'review.spends-other-token': {
		status: 502,
		message: () => 'The burn would spend units of another token.'
	},
	'review.token-unbalanced': {
		status: 502,
		message: ({ spent, accounted }: { spent: Units; accounted: Units }) =>
			`The burn takes ${baseUnitsOf(spent)} and gives ${accounted}.`
	},
	'review.no-import': {
		status: 502,
		message: () => 'The transaction that the daemon gave is not an import.'
	},
	'review.other-burn': {
		status: 502,
		message: () => 'The import is for another burn.'
	},
	'review.import-wrong-destination': {
		status: 502,
		message: ({ destination, ccid }: { destination: string; ccid: number }) =>
			`The burn in the import is not meant for ${destination} with the id ${ccid}.`
	},
	'review.import-other-payouts': {
		status: 502,
		message: () => 'The import pays something else than the burn allows.'
	},
	'review.import-wrong-value': {
		status: 502,
		message: ({ burned, paid }: { burned: Satoshi; paid: Satoshi }) =>
			`No chain accepts the import of this burn: it burns ${coins(burned)} coins, and its payouts are ${coins(paid)}. The difference may be 0.0001 at most.`
	},
	'review.no-proof': {
		status: 502,
		message: () => 'The import has no proof of notarizations.'
	},
	'review.empty-proof': {
		status: 502,
		message: () => 'The proof in the import leads nowhere.'
	},
	'review.other-approvals': {
		status: 502,
		message: () => 'The import has other approvals than were collected.'
	},
	'review.arrived-burn-unreadable': {
		status: 502,
		message: () => 'The burn of the token cannot be read any more.'
	},
	'review.arrived-other': {
		status: 502,
		message: (params: { chain: string; fact: string; found: string; burned: string }) =>
			`The token that arrived on ${params.chain} is not the one that was burned: its ${params.fact} is “${params.found}” and not “${params.burned}”.`
	}
} as const satisfies ErrorArea<'review'>;
