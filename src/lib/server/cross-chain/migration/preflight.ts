/**
 * What can be known before a burn, which cannot be taken back: each trap that would leave the coins
 * nowhere is a check with a sentence.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { formatCoins, daemonSpelling, type Satoshi } from '#lib/chain/amount.ts';
import { IMPORT_FEE } from '#lib/chain/burn.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { explainUpstream } from '#lib/server/chains/daemon/explain.ts';
import type { DaemonInfo, Gateway } from '#lib/server/chains/daemon/types.ts';
import { UpstreamError } from '#lib/server/chains/daemon/types.ts';
import {
	askerOf,
	notarizationsDown,
	type Asker,
	type NotarizationAt
} from '../../chains/daemon/lookup.ts';
import type { IndexReader } from '../../chains/health/indexMemory.ts';
import { addressHistory, historyWarning, knownTrap } from './ccAddresses.ts';
import type { Check } from './check.ts';
import { checkOutputs, checkRecipients, type CustomBurnRequest } from './customChecks.ts';
import { checkIndexes } from './indexChecks.ts';
import { MAIN_CHAIN, type MigrationRequest, type RequestField } from './request.ts';
import { checkToken, type TokenRequest } from './tokenChecks.ts';

/** The daemons and facts that a request that passed is carried out with. */
export interface Route {
	sourceDaemon: DaemonInfo;
	destinationDaemon: DaemonInfo;
	kmdDaemon: DaemonInfo;
	ccid: number;
	/** Key of the paying wallet. */
	pubkey: string;
	/** Tip of the destination chain. */
	destinationHeight: number;
}

export interface Preflight {
	checks: Check[];
	/** Null when a check failed. */
	route: Route | null;
}

type Info = DaemonResult<'getinfo'>;

/** Komodo daemon 0.9.0: ids below this are no shared ids. */
const FIRST_FUNGIBLE_ID = 100;
/** Notarizations of the destination that a proof on KMD needs in its window. */
const NEEDED_NOTARIZATIONS = 7;
/** Komodo daemon 0.9.0 takes this many outputs at most into a burn. */
const MOST_INPUTS = 10n;
/** Bytes around the burn and the proof that an import's last output has to hold. */
const TYPICAL_IMPORT_OUTPUT = 600;
/** An output is dust when a relay fee for three times this many bytes is more than it is worth. */
const DUST_BYTES = 3n * 182n;
const COUNT = new Intl.NumberFormat('en');

class Checks {
	readonly list: Check[] = [];

	readonly add = (
		result: Check['result'],
		id: string,
		sentence: string,
		field?: RequestField
	): void => {
		this.list.push(
			field === undefined ? { id, result, sentence } : { id, result, sentence, field }
		);
	};

	/** Says with the last check where the person can do what is missing. */
	remedy(href: string, label: string): void {
		const last = this.list.at(-1);
		if (last) last.remedy = { href, label };
	}

	get failed(): boolean {
		return this.list.some(({ result }) => result === 'fail');
	}
}

/** Who a daemon says that it is; null, with a failed check, when it does not answer. */
async function infoOf(
	checks: Checks,
	ask: Asker,
	chain: string,
	field?: RequestField
): Promise<Info | null> {
	try {
		const info = await ask.call('getinfo');
		if (info.name !== chain) {
			checks.add(
				'fail',
				`answers-${chain}`,
				`The daemon configured for ${chain} says that it runs ${info.name}.`,
				field
			);
			return null;
		}
		if (info.longestchain > info.blocks) {
			checks.add(
				'warn',
				`synced-${chain}`,
				`${chain} is still catching up: block ${COUNT.format(info.blocks)} of ${COUNT.format(info.longestchain)}.`,
				field
			);
		}
		checks.add('ok', `answers-${chain}`, `${chain} answers at block ${COUNT.format(info.blocks)}.`);
		return info;
	} catch (error) {
		if (!(error instanceof UpstreamError)) throw error;
		checks.add('fail', `answers-${chain}`, explainUpstream(error).what, field);
		return null;
	}
}

function checkIdentity(
	checks: Checks,
	request: MigrationRequest,
	source: Info,
	target: Info
): void {
	const [from, to] = [source.CCid ?? 0, target.CCid ?? 0];
	if (from < FIRST_FUNGIBLE_ID || to < FIRST_FUNGIBLE_ID) {
		const chain = from < FIRST_FUNGIBLE_ID ? request.source : request.destination;
		const field = from < FIRST_FUNGIBLE_ID ? 'source' : 'destination';
		checks.add('fail', 'ccid', `${chain} takes no part in migrations: it has no shared id.`, field);
	} else if (from !== to) {
		checks.add(
			'fail',
			'ccid',
			`${request.source} has the id ${from} and ${request.destination} has ${to}: what is burned for a chain with another id can never be imported.`,
			'destination'
		);
	} else {
		checks.add('ok', 'ccid', `Both chains have the id ${from}.`);
	}
	for (const [chain, info] of [
		[request.source, source],
		[request.destination, target]
	] as const) {
		if (info.sapling < 0 || info.sapling > info.blocks) {
			checks.add('fail', `sapling-${chain}`, `Sapling is not active on ${chain} yet.`);
		}
	}
}

/** The wallet that pays: its key, that it is the configured one, that it can sign. */
function checkWallet(checks: Checks, daemon: DaemonInfo, info: Info): void {
	if (info.pubkey === undefined) {
		checks.add('fail', 'wallet', `The wallet of ${daemon.id} has no key of its own set.`, 'source');
		return;
	}
	if (daemon.health.state === 'wrong-chain') {
		checks.add('fail', 'wallet', `${daemon.id} is not the wallet that was configured.`, 'source');
		return;
	}
	if (info.unlocked_until === 0) {
		checks.add(
			'fail',
			'wallet',
			`The wallet of ${daemon.id} is locked: unlock it first.`,
			'source'
		);
	}
}

/**
 * Whether the wallet holds the key that change comes back to. (Komodo daemon 0.9.0 runs with any -pubkey, and
 * pays the change of a burn from any coins of the wallet to it.)
 */
async function checkKey(checks: Checks, source: Asker, { pubkey }: Info): Promise<void> {
	if (pubkey === undefined) return;
	const address = addressOfPubkey(pubkey);
	const known = await source.call('validateaddress', address);
	if ('ismine' in known && known.ismine) return;
	checks.add(
		'fail',
		'wallet',
		`The key that ${source.daemon} was started with (${address}) is not in its wallet: the change of a burn would belong to somebody else. Start it with the public key of one of its wallet's keys.`,
		'source'
	);
}

function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Whether the last notarization is much older than they usually are apart. */
function checkAge(
	checks: Checks,
	chain: string,
	list: readonly NotarizationAt[],
	tip: number,
	field: RequestField
): void {
	const [newest] = list;
	if (!newest) return;
	const age = tip - newest.height;
	const usual = median(
		list.slice(1).map((record, i) => (list[i]?.height ?? record.height) - record.height)
	);
	const sentence = `${chain} was last notarized ${COUNT.format(age)} KMD blocks ago`;
	if (list.length > 1 && age > Math.max(10, 3 * usual)) {
		checks.add(
			'warn',
			`notarized-${chain}`,
			`${sentence}; usually it is every ${COUNT.format(usual)}. The coins wait until it is notarized again.`,
			field
		);
		return;
	}
	checks.add('ok', `notarized-${chain}`, `${sentence}.`);
}

async function checkNotarizations(
	checks: Checks,
	kmd: Asker,
	tip: number,
	request: MigrationRequest
): Promise<void> {
	const enough = (list: readonly NotarizationAt[]): boolean => list.length > NEEDED_NOTARIZATIONS;
	// The daemon leaves the newest block out of its searches.
	const top = tip - 1;
	// Approvals need no notarization at all.
	const missing = request.approvals ? 'warn' : 'fail';
	const [ofSource, ofTarget] = await Promise.all([
		notarizationsDown(kmd, request.source, 'kmd', top, enough),
		notarizationsDown(kmd, request.destination, 'kmd', top, enough)
	]);
	if (ofSource.length === 0) {
		checks.add(
			missing,
			`notarized-${request.source}`,
			`${request.source} was not notarized within the last 1440 KMD blocks: nothing would prove the burn.`,
			'source'
		);
	}
	checkAge(checks, request.source, ofSource, tip, 'source');
	if (ofTarget.length < NEEDED_NOTARIZATIONS) {
		checks.add(
			missing,
			'destination-notarizations',
			`${request.destination} has ${ofTarget.length} of the 7 notarizations that a proof needs within the last 1440 KMD blocks. A burn made now could ${request.approvals ? 'only be imported with approvals of notaries' : 'never be completed on this route; only approvals of notaries would be left'}.`,
			'destination'
		);
		return;
	}
	checkAge(checks, request.destination, ofTarget, tip, 'destination');
}

async function checkAddress(
	checks: Checks,
	target: Asker,
	request: MigrationRequest,
	pubkeys: readonly string[]
): Promise<void> {
	const trap = knownTrap(request.address, pubkeys);
	if (trap !== null) {
		checks.add('fail', 'address', trap, 'address');
		return;
	}
	const seen = await addressHistory(target, request.address);
	if (seen === 'condition') {
		checks.add(
			'fail',
			'address',
			`On ${request.destination} this address holds tokens or other conditions, not coins of a person: coins paid to it are lost.`,
			'address'
		);
		return;
	}
	const warning = historyWarning(seen, request.destination);
	if (warning === null)
		checks.add('ok', 'address', `The address is known on ${request.destination}.`);
	else checks.add('warn', 'address', warning, 'address');
}

/** The smallest output that the destination relays. */
function dustLimit(relayFee: Satoshi): Satoshi {
	return (DUST_BYTES * relayFee) / 1000n;
}

function checkAmount(checks: Checks, request: MigrationRequest, relayFee: Satoshi): void {
	const least = dustLimit(relayFee);
	// Relay policy, which no method tells: a test network may relay less.
	if (request.amount < least) {
		checks.add(
			'warn',
			'dust',
			`Daemons usually do not relay outputs below ${formatCoins(least)} coins. If those of ${request.destination} do not, the import is refused with "64: dust" and the burned coins do not arrive.`,
			'amount'
		);
	}
	try {
		daemonSpelling(request.amount);
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		checks.add('fail', 'amount', error.message, 'amount');
	}
}

/**
 * Whether the wallet can pay with ten outputs. (Komodo daemon 0.9.0 takes only outputs worth a tenth of
 * the total at least, so many small ones do not help.)
 */
function reach(outputs: readonly Satoshi[], total: Satoshi): 'enough' | 'merge' | 'poor' {
	const balance = outputs.reduce((sum, value) => sum + value, 0n);
	if (balance < total) return 'poor';
	const best = outputs
		.filter((value) => value >= total / MOST_INPUTS)
		.sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
		.slice(0, Number(MOST_INPUTS));
	return best.reduce((sum, value) => sum + value, 0n) >= total ? 'enough' : 'merge';
}

async function checkFunds(checks: Checks, source: Asker, request: MigrationRequest): Promise<void> {
	const unspent = await source.call('listunspent', 0);
	const outputs = unspent.filter(({ spendable }) => spendable).map(({ amount }) => amount);
	const total = request.amount + IMPORT_FEE;
	const verdict = reach(outputs, total);
	if (verdict === 'poor') {
		const has = outputs.reduce((sum, value) => sum + value, 0n);
		checks.add(
			'fail',
			'funds',
			`The wallet has ${formatCoins(has)} coins on ${request.source}; ${formatCoins(total)} are needed, the fee of the import included.`,
			'amount'
		);
	} else if (verdict === 'merge') {
		checks.add(
			'fail',
			'funds',
			'The wallet has enough coins, but in too many small outputs: a burn takes ten at most. Merge them first.',
			'amount'
		);
		checks.remedy(`/${encodeURIComponent(request.source)}/merge`, 'Merge outputs');
	} else {
		checks.add('ok', 'funds', `The wallet can pay ${formatCoins(total)} coins.`);
	}
}

/** A question that cannot be asked now is a failed check, not the end of the page. */
async function guarded(checks: Checks, id: string, look: () => Promise<void>): Promise<void> {
	try {
		await look();
	} catch (error) {
		if (!(error instanceof UpstreamError)) throw error;
		checks.add('fail', id, `This could not be checked: ${error.message}`);
	}
}

/** What is carried, with what its kind needs. */
function kindOf(
	request: MigrationRequest
):
	| { kind: 'coins' }
	| { kind: 'token'; request: TokenRequest }
	| { kind: 'custom'; request: CustomBurnRequest } {
	const { tokenid, composed } = request;
	if (tokenid !== null) return { kind: 'token', request: { ...request, tokenid } };
	return composed === null
		? { kind: 'coins' }
		: { kind: 'custom', request: { ...request, composed } };
}

/** Looks at everything that can be known before the burn. Never throws for what a daemon does. */
export async function preflight(
	gateway: Gateway,
	request: MigrationRequest,
	indexesOf: IndexReader
): Promise<Preflight> {
	const checks = new Checks();
	const refuse = (): Preflight => ({ checks: checks.list, route: null });
	if (request.source === request.destination) {
		checks.add('fail', 'chains', 'Choose two different chains.', 'destination');
		return refuse();
	}
	const sourceDaemon = gateway.daemonFor(request.source, 'wallet');
	const destinationDaemon =
		gateway.daemonFor(request.destination, 'wallet') ??
		gateway.daemonFor(request.destination, 'read');
	const kmdDaemon =
		gateway.daemonFor(MAIN_CHAIN, 'read') ?? gateway.daemonFor(MAIN_CHAIN, 'wallet');
	if (!sourceDaemon) {
		checks.add('fail', 'chains', `No wallet is configured for ${request.source}.`, 'source');
	}
	if (!destinationDaemon) {
		checks.add('fail', 'chains', `${request.destination} is not configured.`, 'destination');
	}
	if (!kmdDaemon) {
		checks.add(
			'fail',
			'chains',
			`No daemon of ${MAIN_CHAIN} is configured: it completes the proof.`
		);
	}
	if (!sourceDaemon || !destinationDaemon || !kmdDaemon) return refuse();
	const ask = {
		source: askerOf(gateway, sourceDaemon.id),
		target: askerOf(gateway, destinationDaemon.id),
		kmd: askerOf(gateway, kmdDaemon.id)
	};
	const [source, target, kmd, sourceIndexes, targetIndexes] = await Promise.all([
		infoOf(checks, ask.source, request.source, 'source'),
		infoOf(checks, ask.target, request.destination, 'destination'),
		infoOf(checks, ask.kmd, MAIN_CHAIN),
		indexesOf(sourceDaemon),
		indexesOf(destinationDaemon)
	]);
	if (!source || !target || !kmd) return refuse();
	checkIndexes(checks.add, [
		{ chain: request.source, indexes: sourceIndexes, field: 'source' },
		{ chain: request.destination, indexes: targetIndexes, field: 'destination' }
	]);
	checkIdentity(checks, request, source, target);
	checkWallet(checks, sourceDaemon, source);
	const what = kindOf(request);
	if (what.kind === 'coins') checkAmount(checks, request, target.relayfee);
	const limit = destinationDaemon.dataCarrierSize;
	if (limit !== null && limit < TYPICAL_IMPORT_OUTPUT) {
		checks.add(
			'fail',
			'datacarriersize',
			`${request.destination} relays data outputs of ${limit} bytes at most, and an import needs about ${TYPICAL_IMPORT_OUTPUT}: it would be refused with "64: scriptpubkey". Start its daemons with datacarriersize=10001.`,
			'destination'
		);
	}
	if (checks.failed) return refuse();
	const pubkeys = gateway.daemons().flatMap(({ pubkey }) => (pubkey === null ? [] : [pubkey]));
	const payment = (): Promise<void> => {
		if (what.kind === 'token') {
			return checkToken(checks.add, ask.source, what.request, { version: source.version, limit });
		}
		if (what.kind === 'custom') {
			return checkOutputs(checks.add, ask.source, what.request, source.blocks);
		}
		return checkFunds(checks, ask.source, request);
	};
	const recipients = async (): Promise<void> => {
		if (what.kind === 'coins') return checkAddress(checks, ask.target, request, pubkeys);
		if (what.kind === 'token') return;
		const least = dustLimit(target.relayfee);
		return checkRecipients(checks.add, ask.target, what.request, pubkeys, least);
	};
	await Promise.all([
		guarded(checks, 'notarizations', () =>
			checkNotarizations(checks, ask.kmd, kmd.blocks, request)
		),
		guarded(checks, 'wallet', () => checkKey(checks, ask.source, source)),
		guarded(checks, 'address', () => recipients()),
		guarded(checks, 'funds', payment)
	]);
	if (checks.failed || source.pubkey === undefined) return refuse();
	return {
		checks: checks.list,
		route: {
			sourceDaemon,
			destinationDaemon,
			kmdDaemon,
			ccid: source.CCid ?? 0,
			pubkey: source.pubkey,
			destinationHeight: target.blocks
		}
	};
}
