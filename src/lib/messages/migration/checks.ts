/** What is looked at before a burn, and what was found. */
import { z } from 'zod';
import { formatCoins } from '#lib/chain/amount.ts';
import { conditionAddressMessage, TOKEN_ADDRESS, TOKEN_MODULE_ADDRESS } from '../addressTraps.ts';
import { UTXOS_LOCKED } from '../errors/utxos.ts';
import { RECORDED, recordedText } from '../errors/recorded.ts';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';

const chain = z.string();
const daemon = z.string();
const address = z.string();
const detail = z.string();
/** Satoshi. */
const satoshi = z.string().regex(/^\d+$/);
/** Base units of a token. */
const units = z.string().regex(/^\d+$/);
const bytes = z.int();
const height = z.int();

const COUNT = new Intl.NumberFormat('en');
const coins = (amount: string): string => formatCoins(BigInt(amount));

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
		({ chain, height }) => `${chain} answers at block ${COUNT.format(height)}.`
	),
	'chain.syncing': entry(
		{ chain, height, tip: height },
		({ chain, height, tip }) =>
			`${chain} is still catching up: block ${COUNT.format(height)} of ${COUNT.format(tip)}.`
	),
	'chain.wrong-daemon': entry(
		{ chain, name: z.string() },
		({ chain, name }) => `The daemon configured for ${chain} says that it runs ${name}.`
	),
	'chain.unreachable': entry({ detail }, ({ detail }) => detail),
	'chain.no-sapling': entry({ chain }, ({ chain }) => `Sapling is not active on ${chain} yet.`),
	'ccid.none': entry(
		{ chain },
		({ chain }) => `${chain} takes no part in migrations: it has no shared id.`
	),
	'ccid.different': entry(
		{ source: chain, sourceCcid: z.int(), destination: chain, destinationCcid: z.int() },
		({ source, sourceCcid, destination, destinationCcid }) =>
			`${source} has the id ${sourceCcid} and ${destination} has ${destinationCcid}: what is burned for a chain with another id can never be imported.`
	),
	'ccid.same': entry({ ccid: z.int() }, ({ ccid }) => `Both chains have the id ${ccid}.`),
	'index.on': entry(
		{ index: z.string(), chain, detail },
		({ index, chain, detail }) => `${index} of ${chain} is on. ${detail}`
	),
	'index.off': entry(
		{ index: z.string(), chain, detail },
		({ index, chain, detail }) => `${index} of ${chain} is off. ${detail}`
	),
	'index.unknown': entry(
		{ index: z.string(), chain, detail },
		({ index, chain, detail }) => `It is not known whether ${index} of ${chain} is on. ${detail}`
	),
	'relay.too-small': entry(
		{ chain, limit: bytes, needed: bytes },
		({ chain, limit, needed }) =>
			`${chain} relays data outputs of ${limit} bytes at most, and an import needs about ${needed}: it would be refused with "64: scriptpubkey". Start its daemons with datacarriersize=10001.`
	),
	'relay.burn-too-large': entry(
		{ chain, limit: bytes },
		({ chain, limit }) =>
			`${chain} relays data outputs of ${limit} bytes at most; the import of this burn would need more.`
	),
	'wallet.denied': entry({ error: RECORDED }, ({ error }) => recordedText(error)),
	'wallet.no-pubkey': entry(
		{ daemon },
		({ daemon }) => `The wallet of ${daemon} has no key of its own set.`
	),
	'wallet.wrong': entry(
		{ daemon },
		({ daemon }) => `${daemon} is not the wallet that was configured.`
	),
	'wallet.locked': entry(
		{ daemon },
		({ daemon }) => `The wallet of ${daemon} is locked: unlock it first.`
	),
	'wallet.foreign-pubkey': entry(
		{ daemon, address },
		({ daemon, address }) =>
			`The key that ${daemon} was started with (${address}) is not in its wallet: the change of a burn would belong to somebody else. Start it with the public key of one of its wallet's keys.`
	),
	'limit.exceeded': entry({ error: RECORDED }, ({ error }) => recordedText(error)),
	'utxos.locked': entry({}, () => UTXOS_LOCKED),
	'call.failed': entry({ detail }, ({ detail }) => `This could not be checked: ${detail}`),
	'amount.not-exact': entry({ detail }, ({ detail }) => detail),
	'amount.dust': entry(
		{ chain, least: satoshi },
		({ chain, least }) =>
			`Daemons usually do not relay outputs below ${coins(least)} coins. If those of ${chain} do not, the import is refused with "64: dust" and the burned coins do not arrive.`
	),
	'amount.output-dust': entry(
		{ chain, least: satoshi, address, amount: satoshi },
		({ chain, least, address, amount }) =>
			`Daemons usually do not relay outputs below ${coins(least)} coins, and ${address} would get ${coins(amount)}. If those of ${chain} do not, the import is refused with "64: dust" and the burned coins do not arrive.`
	),
	'funds.enough': entry(
		{ needed: satoshi },
		({ needed }) => `The wallet can pay ${coins(needed)} coins.`
	),
	'funds.short': entry(
		{ chain, balance: satoshi, needed: satoshi },
		({ chain, balance, needed }) =>
			`The wallet has ${coins(balance)} coins on ${chain}; ${coins(needed)} are needed, the fee of the import included.`
	),
	'funds.short-with-fee': entry(
		{ chain, balance: satoshi, needed: satoshi },
		({ chain, balance, needed }) =>
			`The wallet has ${coins(balance)} coins on ${chain}; ${coins(needed)} and a fee are needed, the fee of the import included.`
	),
	'funds.too-many-outputs': entry(
		{},
		() =>
			'The wallet has enough coins, but in too many small outputs: a burn takes ten at most. Merge them first.'
	),
	'funds.short-for-token': entry(
		{ chain },
		({ chain }) =>
			`The wallet has too few coins on ${chain}: 0.0002 are needed for the burn and the fee of the import.`
	),
	'notarized.recently': entry(
		{ chain, blocks: height },
		({ chain, blocks }) => `${chain} was last notarized ${COUNT.format(blocks)} KMD blocks ago.`
	),
	'notarized.late': entry(
		{ chain, blocks: height, usual: z.number() },
		({ chain, blocks, usual }) =>
			`${chain} was last notarized ${COUNT.format(blocks)} KMD blocks ago; usually it is every ${COUNT.format(usual)}. The coins wait until it is notarized again.`
	),
	'notarized.never': entry(
		{ chain },
		({ chain }) =>
			`${chain} was not notarized within the last 1440 KMD blocks: nothing would prove the burn.`
	),
	'notarized.too-seldom': entry(
		{ chain, found: z.int(), approvals: z.boolean() },
		({ chain, found, approvals }) =>
			`${chain} has ${found} of the 7 notarizations that a proof needs within the last 1440 KMD blocks. A burn made now could ${approvals ? 'only be imported with approvals of notaries' : 'never be completed on this route; only approvals of notaries would be left'}.`
	),
	'address.known': entry({ chain }, ({ chain }) => `The address is known on ${chain}.`),
	'address.unused': entry(
		{ chain },
		({ chain }) => `This address was never used on ${chain}. Make sure that somebody has its key.`
	),
	'address.not-told': entry(
		{ chain },
		({ chain }) =>
			`The daemon of ${chain} keeps no addressindex, so it cannot tell whether this address was ever used. Make sure that somebody has its key.`
	),
	'address.condition': entry({ chain }, ({ chain }) => conditionAddressMessage(chain)),
	'address.token-module': entry(
		/** Null where there is one recipient. */
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
			`Never used on ${chain}: ${addresses.join(', ')}. Make sure that somebody has the key.`
	),
	'recipients.not-told': entry(
		{ chain },
		({ chain }) =>
			`The daemon of ${chain} keeps no addressindex, so it cannot tell whether the addresses of the recipients were ever used. Make sure that somebody has their keys.`
	),
	'recipients.condition': entry(
		{ chain, address },
		({ chain, address }) =>
			`On ${chain} ${address} holds tokens or other conditions, not coins of a person: coins paid to it are lost.`
	),
	'utxos.expired': entry(
		{ chain, expiry: height, tip: height },
		({ chain, expiry, tip }) =>
			`The transaction is only good until block ${expiry} of ${chain}, which is at ${tip}. Make it anew.`
	),
	'utxos.not-own': entry(
		{ utxo: z.string() },
		({ utxo }) =>
			`The output ${utxo} is not an unspent output of this wallet: it was spent meanwhile, or belongs to somebody else.`
	),
	'utxos.enough': entry(
		{ selected: satoshi },
		({ selected }) => `The chosen outputs hold ${coins(selected)} coins.`
	),
	'utxos.by-wallet': entry(
		{ needed: satoshi },
		({ needed }) => `The wallet chooses the outputs that pay ${coins(needed)} coins.`
	),
	'utxos.others': entry(
		{ selected: satoshi },
		({ selected }) =>
			`The outputs that the wallet would take first are locked for another transaction: others with ${coins(selected)} coins were chosen.`
	),
	'utxos.added': entry(
		{ needed: satoshi, added: z.int(), selected: satoshi },
		({ needed, added, selected }) =>
			`The chosen outputs hold too little for ${coins(needed)} coins and the fee: ${added === 1 ? 'one other output of the wallet was' : `${added} other outputs of the wallet were`} added, ${coins(selected)} coins in all.`
	),
	'utxos.short': entry(
		{ selected: satoshi, needed: satoshi },
		({ selected, needed }) =>
			`The outputs that can be spent now hold ${coins(selected)} coins; ${coins(needed)} and a fee are needed. Others of the wallet wait for a block or are locked for another transaction: try again when that one is confirmed or discarded.`
	),
	'utxos.inputs-short': entry(
		{ selected: satoshi, needed: satoshi },
		({ selected, needed }) =>
			`The inputs of the transaction hold ${coins(selected)} coins; ${coins(needed)} and a fee are needed, and the daemon adds no input to those that are there. Add inputs to it, or paste it without any: then the wallet chooses them.`
	),
	'token.supported': entry(
		{ chain },
		({ chain }) => `The daemon of ${chain} builds burns of tokens.`
	),
	'token.not-supported': entry(
		{ chain, version: z.number() },
		({ chain, version }) =>
			`The daemon of ${chain} (version ${version}) does not carry tokens to other chains: release 0.9.0 refuses it for every destination. Coins can be carried; tokens need a network whose daemons allow it.`
	),
	'token.labs': entry({}, () => 'A chain named LABS takes no tokens.'),
	'token.unknown': entry({ chain }, ({ chain }) => `${chain} has no mined token with this id.`),
	'token.balance': entry(
		{ balance: units },
		({ balance }) => `The wallet holds ${balance} units of the token.`
	),
	'token.balance-short': entry(
		{ chain, balance: units, amount: units },
		({ chain, balance, amount }) =>
			`The wallet holds ${balance} confirmed units of this token on ${chain}; ${amount} were asked for.`
	),
	'token.no-module': entry(
		{ evalCode: z.string() },
		({ evalCode }) =>
			`The data of this token begins with ${evalCode}, and no module moves such a token.`
	),
	'token.one-unit': entry({}, () => 'A non-fungible token has one unit: carry 1.'),
	'token.creation-unreadable': entry(
		{},
		() => 'The creation of this token cannot be read here, so it cannot be carried.'
	),
	'token.fits': entry({}, () => 'The burn and the import have room for the token.'),
	'token.large': entry(
		{ burn: bytes, recommended: bytes },
		({ burn, recommended }) =>
			`The burn of this token has about ${burn} bytes, and ${recommended} are recommended at most. The import still fits.`
	),
	'token.too-large': entry(
		{ chain, burn: bytes, script: bytes, most: bytes },
		({ chain, burn, script, most }) =>
			`The token is too large to be carried: its burn has about ${burn} bytes, and with the proof the import's data output on ${chain} would have about ${script}; ${most} are the most. The import could never be mined.`
	),
	'burn.not-built': entry(
		{ response: z.string() },
		({ response }) => `The daemon did not build the burn: ${response}`
	),
	'burn.evidence-unreadable': entry(
		{ step: z.string() },
		({ step }) =>
			`What is stored about the step “${step}” cannot be read, so nothing is sent. Cancel the migration and begin a new one.`
	),
	'burn.review-failed': entry({ error: RECORDED }, ({ error }) => recordedText(error))
} as const;

/** What a check found, as it is stored. */
export type CheckMessage = MessageOf<typeof CHECKS>;

export const checks = catalogueOf(CHECKS);

/** Where somebody can do what a check found missing. */
export const REMEDIES = {
	consolidate: 'Merge outputs',
	'locked-by': 'Show what spends them'
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
