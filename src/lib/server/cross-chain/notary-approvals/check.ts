/**
 * What a notary operator looks at before approving: the daemon's own check of the burn, in words, and ours
 * beside it, from the bytes. An approval says that the burn happened, so nothing here is taken on trust.
 */
import { formatCoins } from '#lib/chain/amount.ts';
import { proveBlock } from '#lib/chain/approval.ts';
import { IMPORT_FEE, parseBurn, parsePayouts, payoutsHash } from '#lib/chain/burn.ts';
import { bytesEqual } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { parseTransaction } from '#lib/chain/transaction.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import {
	daemonClientOf,
	findImport,
	findTransaction,
	type DaemonClient
} from '../../chains/daemon/lookup.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { Publication } from './publication.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { explainDaemon } from '#lib/messages/explained/daemon.ts';

/** One thing that was looked at. */
export interface Finding {
	id: string;
	result: 'ok' | 'warn' | 'fail';
	message: string;
}

export interface BurnCheck {
	/** What `migrate_checkburntransactionsource` says. */
	daemon: Finding[];
	/** What the bytes say. */
	own: Finding[];
	/** The proof to approve with; null when anything failed. */
	txOutProof: string | null;
}

/** Blocks on top of a burn below which a reorganisation could still take it back. */
const FEW_CONFIRMATIONS = 10;

/** The daemon's refusals of a burn in other words. (Komodo daemon 0.9.0.) */
const REFUSALS: readonly (readonly [start: string, sentence: (burn: Publication) => string])[] = [
	['Must be called on asset chain', () => 'KMD itself takes no part in migrations.'],
	[
		'Cannot find burn transaction',
		({ source }) => `${source} does not know this burn. Do not approve it.`
	],
	[
		'Burn tx still in mempool',
		({ source }) => `No block of ${source} holds the burn yet. Check it again after the next one.`
	],
	['Cannot unmarshal burn tx data', () => 'This transaction is not a burn.'],
	['Cannot unmarshal rawproof', () => 'The burn does not say from which chain it is.'],
	['Cannot decode token opret', () => 'The burn is of a token, and its token data cannot be read.'],
	['Incorrect tokenbase in burn tx', () => 'The burn names another token than it burns.'],
	['Could not load tokenbase tx', () => 'The creation of the burned token is not known.'],
	[
		'Could not migrate fungible tokens',
		() => 'The burn is of a fungible token, and those cannot be carried to another chain.'
	],
	['Could not decode opreturn in tokenbase tx', () => 'The creation of the token cannot be read.'],
	['Incorrect tokenbase tx', () => 'The creation of the token cannot be read.'],
	['Incorrect token burn tx', () => 'The burn takes more or fewer units than it destroys.'],
	['Incorrect eval code in opreturn', () => 'The burn carries data of another kind.'],
	['No opreturn in burn tx', () => 'This transaction is not a burn.'],
	['Incorrect source chain in rawproof', ({ source }) => `The burn is not of ${source}.`],
	['Incorrect CCid in burn tx', () => 'The burn is meant for chains with another shared id.'],
	[
		'Must not be called on the destination chain',
		() => 'The burn is meant for the very chain that it is on.'
	]
];

class Findings {
	readonly list: Finding[] = [];

	/** Notes whether something holds; returns it. */
	say(holds: boolean, id: string, yes: string, otherwise: string): boolean {
		this.list.push({
			id,
			result: holds ? 'ok' : 'fail',
			message: holds ? yes : otherwise
		});
		return holds;
	}

	warn(id: string, message: string): void {
		this.list.push({ id, result: 'warn', message });
	}

	/** A question that could not be asked: nothing is approved without its answer. */
	unasked(id: string, error: unknown): void {
		if (!isAppError(error, 'daemon')) throw error;
		const { what } = explainDaemon(error.coded);
		this.say(false, id, '', `This could not be looked up: ${what}`);
	}

	get failed(): boolean {
		return this.list.some(({ result }) => result === 'fail');
	}
}

type DaemonCheck = DaemonResult<'migrate_checkburntransactionsource'>;

async function askDaemon(
	source: DaemonClient,
	burn: Publication,
	findings: Findings
): Promise<DaemonCheck | null> {
	try {
		const answer = await source.call('migrate_checkburntransactionsource', burn.burnTxid);
		findings.say(true, 'daemon', `${burn.source} says that the burn can be approved.`, '');
		return answer;
	} catch (error) {
		const said = isAppError(error, 'daemon.rpc-error', 'daemon.in-band-error')
			? (error.params.rpcMessage ?? '').trim()
			: null;
		if (said === null) {
			findings.unasked('daemon', error);
			return null;
		}
		const known = REFUSALS.find(([start]) => said.startsWith(start));
		const sentence = known
			? `${known[1](burn)} The daemon said: ${said}`
			: `The daemon refuses it: ${said}`;
		findings.say(false, 'daemon', '', sentence);
		return null;
	}
}

/** Whether the daemon names what the published burn says. */
function compareNames(answer: DaemonCheck, burn: Publication, findings: Findings): void {
	const { sourceSymbol, targetSymbol, targetCcid, tokenid } = answer;
	findings.say(
		sourceSymbol === burn.source && targetSymbol === burn.destination,
		'route',
		`From ${sourceSymbol} to ${targetSymbol}.`,
		`It goes from ${sourceSymbol} to ${targetSymbol}, and was published as from ${burn.source} to ${burn.destination}.`
	);
	findings.say(
		targetCcid === burn.ccid,
		'ccid',
		`The shared id (CCid) is ${targetCcid}.`,
		`The shared id (CCid) is ${targetCcid}, and was published as ${burn.ccid}.`
	);
	const published = burn.tokenid ?? 'none';
	const said = tokenid ?? 'none';
	if (burn.tokenid !== null || tokenid !== undefined) {
		findings.say(
			said === published,
			'token',
			`It burns the token ${said}.`,
			`It burns the token ${said}, and was published with ${published}.`
		);
	}
}

/** What the published bytes say about value and recipients. */
function readBytes(burn: Publication, findings: Findings): void {
	const read = parseBurn(parseTransaction(burn.burnHex));
	const payouts = parsePayouts(burn.payouts);
	const fits = read !== null && bytesEqual(payoutsHash(payouts), read.payoutsHash);
	findings.say(
		fits,
		'payouts',
		'The published payouts are the ones that the burn commits to.',
		'The published payouts are not the ones that the burn commits to.'
	);
	findings.say(
		read?.targetSymbol === burn.destination && read.targetCcid === burn.ccid,
		'meant-for',
		`The bytes are meant for ${burn.destination}.`,
		`The bytes are not meant for ${burn.destination} with the id ${burn.ccid}.`
	);
	if (burn.tokenid !== null) return;
	const paid = payouts.reduce((sum, { value }) => sum + value, 0n);
	const room = paid <= burn.burned && paid >= burn.burned - IMPORT_FEE;
	findings.say(
		room,
		'value',
		`${formatCoins(burn.burned)} coins are destroyed, and ${formatCoins(paid)} arrive; the rest is the fee of the import.`,
		`${formatCoins(burn.burned)} coins are destroyed, and ${formatCoins(paid)} would arrive.`
	);
}

async function checkPlace(
	source: DaemonClient,
	burn: Publication,
	findings: Findings
): Promise<void> {
	try {
		const found = await findTransaction(source, burn.burnTxid);
		const same = found.where !== 'absent' && found.hex === burn.burnHex;
		findings.say(
			same,
			'bytes',
			`${burn.source} has the very bytes that were published.`,
			found.where === 'absent'
				? `${burn.source} does not know this burn.`
				: `${burn.source} has other bytes than were published.`
		);
	} catch (error) {
		findings.unasked('bytes', error);
	}
}

/** Works the proof out, and asks the source whether its block is one of its own. */
async function checkProof(
	source: DaemonClient,
	burn: Publication,
	proof: string,
	findings: Findings
): Promise<void> {
	let block;
	try {
		block = proveBlock(proof);
	} catch (error) {
		if (!isChainError(error, 'parse')) throw error;
		findings.say(false, 'proof', '', 'The proof that the daemon gave cannot be read.');
		return;
	}
	const { sound, txids, blockHash } = block;
	const holds = sound && txids.includes(burn.burnTxid);
	findings.say(
		holds,
		'proof',
		`The proof leads from the burn to the merkle root of its block ${short(blockHash)}.`,
		sound
			? 'The proof that the daemon gave is of another transaction.'
			: 'The hashes of the proof do not lead to the merkle root of its block.'
	);
	try {
		const header = await source.call('getblockheader', blockHash);
		const { confirmations, rawconfirmations, height } =
			typeof header === 'string' ? { confirmations: -1, rawconfirmations: -1, height: 0 } : header;
		const own = findings.say(
			confirmations > 0,
			'block',
			`That block is number ${height} of ${burn.source}, with ${confirmed(rawconfirmations)}.`,
			`That block is not part of ${burn.source} any more.`
		);
		// The daemon says 1 until the block is notarized, and from then on it stays.
		if (own && confirmations <= 1 && rawconfirmations < FEW_CONFIRMATIONS) {
			findings.warn(
				'depth',
				`The block is not notarized, and with ${confirmed(rawconfirmations)} a reorganisation could still take it back. An approval cannot be taken back: waiting is safer.`
			);
		}
	} catch (error) {
		if (isAppError(error, 'daemon.rpc-error')) {
			findings.say(false, 'block', '', `${burn.source} has no block ${short(blockHash)}.`);
		} else findings.unasked('block', error);
	}
}

/** A burn is imported once: an approval of one that was imported helps nobody. */
async function checkUnused(
	target: DaemonClient,
	burn: Publication,
	findings: Findings
): Promise<void> {
	try {
		const { found } = await findImport(target, burn.burnTxid, burn.importScanFrom);
		findings.say(
			found === null,
			'unused',
			`${burn.destination} has no import of it yet.`,
			`${burn.destination} has an import of it already: ${found?.txid ?? ''}`
		);
	} catch (error) {
		findings.unasked('unused', error);
	}
}

const confirmed = (n: number): string => (n === 1 ? '1 confirmation' : `${n} confirmations`);
const short = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-8)}`;

/** Looks at a published burn. Never throws for what a daemon does. */
export async function checkBurn(gateway: Gateway, burn: Publication): Promise<BurnCheck> {
	const source = daemonClientOf(gateway, burn.sourceDaemon);
	const target = daemonClientOf(gateway, burn.destinationDaemon);
	const said = new Findings();
	const own = new Findings();
	const answer = await askDaemon(source, burn, said);
	if (answer) compareNames(answer, burn, said);
	readBytes(burn, own);
	await checkPlace(source, burn, own);
	if (answer) await checkProof(source, burn, answer.txOutProof, own);
	await checkUnused(target, burn, own);
	const good = answer !== null && !said.failed && !own.failed;
	return { daemon: said.list, own: own.list, txOutProof: good ? answer.txOutProof : null };
}
