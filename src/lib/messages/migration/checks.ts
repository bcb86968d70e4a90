/** Checks before a burn, and their results. */
import { NOT_ALL_READ } from '../unreadUtxos.ts';
import { count, plural } from '#lib/text/plural.ts';
import { utc } from '#lib/text/utc.ts';
import { z } from 'zod';
import { coins } from '../coins.ts';
import { conditionAddressMessage, TOKEN_ADDRESS, TOKEN_MODULE_ADDRESS } from '../addressTraps.ts';
import { UTXOS_LOCKED } from '../errors/utxos.ts';
import { explainErrorText } from '../daemon-errors/index.ts';
import { RECORDED, recordedText } from '../errors/recorded.ts';
import { INDEX_NAMES, indexDetail, UNANSWERED } from '../daemonIndexes.ts';
import { FAILED_CALL, failedCall } from '../explained/failedCall.ts';
import { walletForm } from '../walletForm.ts';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';

const chain = z.string();
const daemon = z.string();
const address = z.string();
const detail = z.string();
const index = z.enum(INDEX_NAMES);
/** Satoshi. */
const satoshi = z.string().regex(/^\d+$/);
/** Base units of a token. */
const units = z.string().regex(/^\d+$/);
const bytes = z.int();
const height = z.int();

/** The options for a burn without a proof of notarizations. */
const leftOver = (approvals: boolean): string =>
	`A burn made now could ${approvals ? 'only be imported with notary approvals' : 'not be completed by notarizations; only notary approvals would be left'}.`;
/** Ticker of the coins; absent in checks that were stored without it. */
const ticker = z.string().optional();

export const CHECKS = {
	...STORED,
	'chains.same': entry({}, () => 'Choose two different chains.'),
	'chains.no-wallet': entry({ chain }, ({ chain }) => `No wallet is configured for ${chain}.`),
	'chains.not-configured': entry({ chain }, ({ chain }) => `${chain} is not configured.`),
	'chains.no-kmd': entry(
		{ chain },
		({ chain }) => `No daemon of ${chain} is configured: it completes the proof.`
	),
	'chain.answers': entry(
		{ chain, height },
		({ chain, height }) => `${chain} is online at block ${count(height)}.`
	),
	'chain.syncing': entry(
		{ chain, height, tip: height },
		({ chain, height, tip }) =>
			`${chain} is still syncing: block ${count(height)} of ${count(tip)}.`
	),
	'chain.wrong-daemon': entry(
		{ chain, name: z.string() },
		({ chain, name }) => `The daemon configured for ${chain} runs ${name}.`
	),
	'chain.unreachable': entry(FAILED_CALL, failedCall),
	'chain.no-sapling': entry({ chain }, ({ chain }) => `Sapling is not active on ${chain} yet.`),
	'ccid.too-low': entry({ chain, ccid: z.int(), least: z.int() }, ({ chain, ccid, least }) =>
		ccid === 0
			? `${chain} cannot migrate: it has no CCid.`
			: `${chain} cannot migrate: its CCid is ${ccid}, and its daemon requires ${least} or higher.`
	),
	'ccid.too-high': entry(
		{ chain, ccid: z.int(), most: z.int() },
		({ chain, ccid, most }) =>
			`${chain} cannot migrate: its CCid is ${ccid}, and notarizations hold none above ${most}, so no proof would be found.`
	),
	'ccid.different': entry(
		{ source: chain, sourceCcid: z.int(), destination: chain, destinationCcid: z.int() },
		({ source, sourceCcid, destination, destinationCcid }) =>
			`No route: ${source} (CCid ${sourceCcid}) and ${destination} (CCid ${destinationCcid}) must share the same CCid.`
	),
	'ccid.same': entry({ ccid: z.int() }, ({ ccid }) => `Both chains have CCid ${ccid}.`),
	'index.on': entry(
		{ chain, index },
		({ chain, index: name }) => `${name} of ${chain} is on. ${indexDetail({ name, state: 'on' })}`
	),
	'index.off': entry(
		{ chain, index, builds: z.boolean().optional() },
		({ chain, index: name, builds }) =>
			`${name} of ${chain} is off. ${indexDetail({ name, state: 'off', builds })}`
	),
	'index.unknown': entry(
		{ chain, index, why: UNANSWERED.optional() },
		({ chain, index: name, why }) =>
			`Unknown whether ${name} of ${chain} is on. ${indexDetail({ name, state: 'unknown', why })}`
	),
	'relay.too-small': entry(
		{ chain, limit: bytes, needed: bytes },
		({ chain, limit, needed }) =>
			`${chain} relays data outputs of ${limit} bytes at most, and an import needs about ${needed}: it would be rejected with "64: scriptpubkey". Start its daemons with datacarriersize=10001.`
	),
	'relay.burn-too-large': entry(
		{ chain, limit: bytes },
		({ chain, limit }) =>
			`${chain} relays data outputs of ${limit} bytes at most; the import of this burn would need more.`
	),
	'wallet.denied': entry({ error: RECORDED }, ({ error }) => recordedText(error)),
	'wallet.none': entry({ daemon }, ({ daemon }) => walletForm.withoutWallet(daemon)),
	'wallet.no-pubkey': entry(
		{ daemon },
		({ daemon }) => `The wallet of ${daemon} has no pubkey set.`
	),
	'wallet.wrong': entry(
		{ daemon },
		({ daemon }) => `${daemon} is not the wallet that was configured.`
	),
	'wallet.not-known-yet': entry(
		{ daemon },
		({ daemon }) =>
			`The wallet of this draft may be that of ${daemon}, which has not told its public key yet. Try again once ${daemon} is online.`
	),
	'wallet.locked': entry(
		{ daemon },
		({ daemon }) => `The wallet of ${daemon} is locked: unlock it first.`
	),
	'wallet.foreign-pubkey': entry(
		{ daemon, address },
		({ daemon, address }) =>
			`The key that ${daemon} was started with (${address}) is not in its wallet: the change of a burn would belong to someone else. Start it with the public key of one of its wallet’s keys.`
	),
	'limit.exceeded': entry({ error: RECORDED }, ({ error }) => recordedText(error)),
	'utxos.locked': entry({}, () => UTXOS_LOCKED),
	'call.failed': entry(FAILED_CALL, (failed) => `This could not be checked: ${failedCall(failed)}`),
	/** `detail`: the message text, in rows of early releases, which stored it. */
	'amount.not-exact': entry(
		{ detail: detail.optional() },
		({ detail = 'The daemon cannot read this amount exactly. Choose a smaller one.' }) => detail
	),
	'amount.dust': entry(
		{ chain, least: satoshi },
		({ chain, least }) =>
			`Daemons usually do not relay outputs below ${coins(least, chain)}. If those of ${chain} do not, the import is rejected with "64: dust" and the burned coins do not arrive.`
	),
	'amount.output-dust': entry(
		{ chain, least: satoshi, address, amount: satoshi },
		({ chain, least, address, amount }) =>
			`Daemons usually do not relay outputs below ${coins(least, chain)}, and ${address} would receive ${coins(amount, chain)}. If those of ${chain} do not, the import is rejected with "64: dust" and the burned coins do not arrive.`
	),
	'change.dust': entry(
		{ chain, change: satoshi, least: satoshi },
		({ chain, change, least }) =>
			`${coins(change, chain)} would come back to the wallet, and daemons of ${chain} do not relay outputs below ${coins(least, chain)}. Enter an amount that is ${coins(change, chain)} higher, or at least ${coins(String(BigInt(least) - BigInt(change)), chain)} lower.`
	),
	'change.token-dust': entry(
		{ chain, change: satoshi, least: satoshi },
		({ chain, change, least }) =>
			`${coins(change, chain)} would come back to the wallet, and daemons of ${chain} do not relay outputs below ${coins(least, chain)}. Consolidate the wallet’s coins, then try again.`
	),
	'funds.enough': entry(
		{ needed: satoshi, ticker },
		({ needed, ticker }) => `The wallet can pay ${coins(needed, ticker)}.`
	),
	'funds.short': entry(
		{ chain, balance: satoshi, needed: satoshi },
		({ chain, balance, needed }) =>
			`Insufficient balance: ${coins(balance, chain)} available, ${coins(needed, chain)} needed with the import fee.`
	),
	'funds.short-with-fee': entry(
		{ chain, balance: satoshi, needed: satoshi },
		({ chain, balance, needed }) =>
			`Insufficient balance: ${coins(balance, chain)} available, ${coins(needed, chain)} plus network fee needed, import fee included.`
	),
	'funds.too-many-outputs': entry(
		{},
		() =>
			'The wallet has enough, but in too many small UTXOs: a burn can spend at most 10. Consolidate UTXOs first.'
	),
	'funds.not-all-read': entry({}, () => NOT_ALL_READ),
	'funds.short-for-token': entry(
		{ chain },
		({ chain }) =>
			`The wallet has no UTXO of at least 0.0001 ${chain}: the daemon takes the import fee of a token from one.`
	),
	'notarized.recently': entry(
		{ chain, blocks: height },
		({ chain, blocks }) => `${chain} was last notarized ${plural(blocks, 'KMD block')} ago.`
	),
	'notarized.late': entry(
		{ chain, blocks: height, usual: z.number() },
		({ chain, blocks, usual }) =>
			`${chain} was last notarized ${count(blocks)} KMD blocks ago; usually every ${count(usual)}. The migration waits for the next notarization.`
	),
	'notarized.never': entry(
		{ chain },
		({ chain }) =>
			`${chain} was not notarized within the last 1440 KMD blocks: nothing would prove the burn.`
	),
	'notarized.too-seldom': entry(
		{ chain, found: z.int(), approvals: z.boolean() },
		({ chain, found, approvals }) =>
			`${chain} has ${found} of the 7 notarizations that a proof needs within the last 1440 KMD blocks. ${leftOver(approvals)}`
	),
	'notarized.other-group': entry(
		{ source: chain, destination: chain, approvals: z.boolean() },
		({ source, destination, approvals }) =>
			`${source} and ${destination} are notarized by different groups of notaries, and no proof leads from one to the other. ${leftOver(approvals)}`
	),
	'address.known': entry({ chain }, ({ chain }) => `The address is known on ${chain}.`),
	'address.unused': entry(
		{ chain },
		({ chain }) => `This address was never used on ${chain}. Make sure you control its private key.`
	),
	'address.not-told': entry(
		{ chain },
		({ chain }) =>
			`The daemon of ${chain} keeps no addressindex, so it cannot tell whether this address was ever used. Make sure you control its private key.`
	),
	'address.condition': entry({ chain }, ({ chain }) => conditionAddressMessage(chain)),
	'address.token-module': entry(
		/** Null when there is a single recipient. */
		{ address: address.nullable() },
		({ address }) => `${address === null ? '' : `${address}: `}${TOKEN_MODULE_ADDRESS}`
	),
	'address.token-address': entry(
		{ address: address.nullable() },
		({ address }) => `${address === null ? '' : `${address}: `}${TOKEN_ADDRESS}`
	),
	'recipients.known': entry({ chain }, ({ chain }) => `The recipients are known on ${chain}.`),
	'recipients.unused': entry(
		{ chain, addresses: z.array(address) },
		({ chain, addresses }) =>
			`Never used on ${chain}: ${addresses.join(', ')}. Make sure you control the private key.`
	),
	'recipients.not-told': entry(
		{ chain },
		({ chain }) =>
			`The daemon of ${chain} keeps no addressindex, so it cannot tell whether the addresses of the recipients were ever used. Make sure you control their private keys.`
	),
	'recipients.condition': entry(
		{ chain, address },
		({ chain, address }) =>
			`On ${chain} ${address} holds tokens or other conditions, not ordinary coins: coins paid to it are lost.`
	),
	'utxos.expired': entry(
		{ chain, expiry: height, tip: height },
		({ chain, expiry, tip }) =>
			`The transaction expires at block ${expiry} of ${chain}, which is at ${tip}. Create it again.`
	),
	'utxos.locked-to-height': entry(
		{ chain, locktime: height },
		({ chain, locktime }) =>
			`The lock time of the transaction is block ${count(locktime)} of ${chain}, and no earlier block takes it. Create it without a lock time.`
	),
	'utxos.locked-to-time': entry(
		{ chain, locktime: z.int() },
		({ chain, locktime }) =>
			`The lock time of the transaction is ${utc(locktime * 1_000)}, and no earlier block of ${chain} takes it. Create it without a lock time.`
	),
	'utxos.not-own': entry(
		{ utxo: z.string() },
		({ utxo }) => `The output ${utxo} is not a UTXO of this wallet: spent meanwhile, or not yours.`
	),
	'utxos.not-read': entry(
		{ utxo: z.string() },
		({ utxo }) =>
			`The wallet has too many UTXOs to read all of them, and the output ${utxo} is not among those that were read. Select others, or consolidate UTXOs first.`
	),
	'utxos.burn-large': entry(
		{ size: bytes, most: bytes },
		({ size, most }) =>
			`The burn has ${size} bytes; ${most} are the most, so that the import has room for it. Select fewer UTXOs, or consolidate them first.`
	),
	'utxos.enough': entry(
		{ selected: satoshi, ticker },
		({ selected, ticker }) => `The selected UTXOs hold ${coins(selected, ticker)}.`
	),
	'utxos.by-wallet': entry(
		{ needed: satoshi, ticker },
		({ needed, ticker }) => `The wallet selects UTXOs that pay ${coins(needed, ticker)}.`
	),
	'utxos.others': entry(
		{ selected: satoshi, ticker },
		({ selected, ticker }) =>
			`UTXOs locked for another transaction were skipped: others with ${coins(selected, ticker)} are selected.`
	),
	'utxos.added': entry(
		{ needed: satoshi, added: z.int(), selected: satoshi, ticker },
		({ needed, added, selected, ticker }) =>
			`The selected UTXOs hold too little for ${coins(needed, ticker)} and the fee: ${plural(added, 'other UTXO of the wallet was', 'other UTXOs of the wallet were')} added, ${coins(selected, ticker)} in total.`
	),
	'utxos.short': entry(
		{ selected: satoshi, needed: satoshi, ticker },
		({ selected, needed, ticker }) =>
			`The outputs that can be spent now hold ${coins(selected, ticker)}; ${coins(needed, ticker)} and a fee are needed. Others are pending or locked for another transaction: try again when that one is confirmed or discarded.`
	),
	'utxos.inputs-short': entry(
		{ selected: satoshi, needed: satoshi, ticker },
		({ selected, needed, ticker }) =>
			`The inputs of the transaction hold ${coins(selected, ticker)}; ${coins(needed, ticker)} and a fee are needed, and the daemon adds no input to those that are there. Add inputs to it, or paste it without any: then the wallet chooses them.`
	),
	'token.supported': entry(
		{ chain },
		({ chain }) => `The daemon of ${chain} supports token burns.`
	),
	'token.not-supported': entry(
		{ chain, version: z.number() },
		({ chain, version }) =>
			`The daemon of ${chain} (version ${version}) cannot migrate tokens: release 0.9.0 rejects every destination. Coins can be migrated; tokens need a network whose daemons allow it.`
	),
	'token.not-set-up': entry(
		{ chain },
		({ chain }) =>
			`The daemon of ${chain} is not set up for tokens. Start it with pubkey, addressindex=1 and spentindex=1; an index that was off needs -reindex once.`
	),
	'token.scattered': entry(
		{ amount: units },
		({ amount }) =>
			`The wallet holds the token in UTXOs that are too small: a burn takes at most 4, each with a quarter of the ${amount} base units or more. Send them to your own public key first, which joins up to 60 UTXOs with a sixtieth or more each, and wait for a block.`
	),
	'token.labs': entry({}, () => 'A chain named LABS takes no tokens.'),
	'token.unknown': entry({ chain }, ({ chain }) => `${chain} has no confirmed token with this ID.`),
	'token.balance': entry(
		{ balance: units },
		({ balance }) => `The wallet holds ${balance} base units of the token.`
	),
	'token.balance-short': entry(
		{ chain, balance: units, amount: units },
		({ chain, balance, amount }) =>
			`Insufficient balance: ${balance} confirmed base units on ${chain}, ${amount} requested.`
	),
	'token.no-module': entry(
		{ evalCode: z.string() },
		({ evalCode }) =>
			`The data of this token begins with ${evalCode}, and no module moves such a token.`
	),
	'token.fungible': entry(
		{},
		() =>
			'This token is fungible. Few networks let fungible tokens migrate, and notaries approve none: test with a small amount first.'
	),
	'token.fungible-forbidden': entry(
		{},
		() =>
			'Fungible tokens cannot migrate from here: an admin forbids it (KOMODECK_FUNGIBLE_TOKENS=0).'
	),
	'token.fungible-approvals': entry(
		{},
		() => 'Notaries approve non-fungible tokens only: choose notarizations as proof.'
	),
	'token.one-unit': entry({}, () => 'A non-fungible token has one unit: migrate 1.'),
	'token.creation-unreadable': entry(
		{},
		() => 'The creation of this token cannot be read here, so the token cannot be migrated.'
	),
	'token.fits': entry({}, () => 'The token fits into the burn and the import.'),
	'token.large': entry(
		{ burn: bytes, recommended: bytes },
		({ burn, recommended }) =>
			`The burn of this token has about ${burn} bytes, and ${recommended} are recommended at most. The import still fits.`
	),
	'token.too-large': entry(
		{ chain, burn: bytes, script: bytes, most: bytes },
		({ chain, burn, script, most }) =>
			`The token is too large to migrate: its burn has about ${burn} bytes, and with the proof the import’s data output on ${chain} would have about ${script}; ${most} are the most. The import could never be mined.`
	),
	'burn.not-built': entry({ response: z.string() }, ({ response }) => {
		const known = explainErrorText(null, response);
		return known === null
			? `The daemon did not build the burn: ${response}`
			: `The daemon did not build the burn. ${known.what} ${known.next}`;
	}),
	'burn.evidence-unreadable': entry(
		{ step: z.string() },
		({ step }) =>
			`The stored record of the step “${step}” cannot be read, so nothing is sent. Discard the migration and start a new one.`
	),
	'burn.review-failed': entry({ error: RECORDED }, ({ error }) => recordedText(error))
} as const;

/** The result of a check, as it is stored. */
export type CheckMessage = MessageOf<typeof CHECKS>;

export const checks = catalogueOf(CHECKS);

/** Pages where the user can fix what a check found missing. */
export const REMEDIES = {
	consolidate: 'Consolidate UTXOs',
	'join-token': 'Send the token to yourself',
	'locked-by': 'Show the transaction'
} as const;

/** A check as pages show it. */
export interface ShownCheck {
	id: string;
	result: 'ok' | 'warn' | 'fail';
	code: CheckMessage['code'];
	message: string;
	field?: string;
	remedy?: { href: string; label: string };
}

interface Checked {
	id: string;
	result: ShownCheck['result'];
	message: CheckMessage;
	field?: string;
	remedy?: { code: keyof typeof REMEDIES; href: string };
}

/** Renders a check. */
export const shownCheck = ({ id, result, message, field, remedy }: Checked): ShownCheck => ({
	id,
	result,
	code: message.code,
	message: checks.text(message),
	...(field === undefined ? {} : { field }),
	...(remedy === undefined ? {} : { remedy: { href: remedy.href, label: REMEDIES[remedy.code] } })
});
