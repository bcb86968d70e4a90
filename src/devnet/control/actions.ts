import { FAULT_KINDS } from '../daemon/fault.ts';
import type { Daemon } from '../daemon/daemon.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Network } from '../network.ts';
import { ControlError, flag, text, value, whole, type Body } from './body.ts';
import { showFault } from './fault.ts';
import { kdfActions } from './kdfActions.ts';

type Action = (network: Network, body: Body) => unknown;

const MOST_BLOCKS = 5000;
const MOST_CLAIMED = 1_000_000_000;
/** Komodo daemon 0.9.0: 100 % of the block reward. */
const MOST_COMMISSION = 100_000_000;

const chainOf = (network: Network, body: Body): Ledger => {
	const found = network.ledgers.get(text(body, 'chain'));
	if (!found) throw new ControlError(400, 'there is no such chain');
	return found;
};

const daemonOf = (network: Network, body: Body): Daemon => {
	const found = network.daemons.get(text(body, 'daemon').replace(':', '-'));
	if (!found) throw new ControlError(400, 'there is no such daemon');
	return found;
};

const tipOf = (ledger: Ledger) => ({ height: ledger.height, tip: ledger.tip.hash });

const mine: Action = (network, body) => {
	const ledger = chainOf(network, body);
	const blocks = network.mine(ledger.symbol, whole(body, 'n', 1, MOST_BLOCKS));
	return { ...tipOf(ledger), blocks };
};

const assetChain = (network: Network, body: Body): Ledger => {
	const ledger = chainOf(network, body);
	if (ledger.isMain) throw new ControlError(400, 'only asset chains are notarized here');
	return ledger;
};

const notarize: Action = (network, body) => {
	const ledger = assetChain(network, body);
	const round = network.notarizeWhole(ledger.symbol);
	return { ...round, ...tipOf(ledger), kmdHeight: network.ledger('KMD').height };
};

/**
 * Sends only the notarization on KMD and mines it unless `mine` is false; `/back-notarize` does the other
 * half.
 */
const notarizeKmd: Action = (network, body) => {
	const ledger = assetChain(network, body);
	const [notarization] = network.notarize([ledger]);
	if (value(body, 'mine') !== false) network.mine('KMD');
	return { notarization, kmdHeight: network.ledger('KMD').height };
};

const backNotarize: Action = (network, body) => {
	const ledger = assetChain(network, body);
	const early = value(body, 'early') === true;
	return { backNotarization: network.backNotarize(ledger.symbol, early), ...tipOf(ledger) };
};

/**
 * Reorganizes a chain. By default the new blocks include the disconnected transactions; with `empty` these
 * stay in the mempool; with `lose` they are gone, known to the transaction index only.
 */
const reorg: Action = (network, body) => {
	const ledger = chainOf(network, body);
	const depth = whole(body, 'depth', 1, ledger.height - 1);
	const { removed, added } = ledger.reorg(depth, {
		empty: value(body, 'empty') === true,
		lose: value(body, 'lose') === true
	});
	network.saveSoon();
	return {
		...tipOf(ledger),
		removed: removed.map((block) => block.hash),
		added: added.map((block) => block.hash)
	};
};

const fault: Action = async (network, body) => {
	const daemon = daemonOf(network, body);
	return { daemon: daemon.id, ...(await showFault(daemon, body, FAULT_KINDS)) };
};

const clock: Action = (network, body) => {
	network.advanceClock(whole(body, 'advance', null, 10 * 365 * 86_400));
	return { now: network.now() };
};

const auto: Action = (network, body) => {
	network.setAutomatic(flag(body, 'on'));
	return { automatic: network.isAutomatic };
};

/** Locks or unlocks a wallet, or removes or restores its `-pubkey` or the private key of it. */
const wallet: Action = (network, body) => {
	const daemon = daemonOf(network, body);
	if (value(body, 'locked') !== undefined) daemon.wallet.locked = flag(body, 'locked');
	if (value(body, 'hasKey') !== undefined) {
		if (flag(body, 'hasKey')) daemon.wallet.add(daemon.key);
		else daemon.wallet.remove(daemon.key.address);
	}
	if (value(body, 'hasPubkey') !== undefined) {
		daemon.wallet.pubkey = flag(body, 'hasPubkey') ? daemon.key : null;
	}
	return {
		daemon: daemon.id,
		locked: daemon.wallet.locked,
		hasKey: daemon.wallet.key(daemon.key.address) !== undefined,
		hasPubkey: daemon.wallet.pubkey !== null
	};
};

const INDEXES = ['txIndex', 'addressIndex', 'spentIndex'] as const;

/** Switches indexes of a daemon on or off, as if it had been started so; indexes not in the request are kept. */
const indexes: Action = (network, body) => {
	const { id, context } = daemonOf(network, body);
	for (const name of INDEXES) {
		if (value(body, name) !== undefined) context[name] = flag(body, name);
	}
	const { txIndex, addressIndex, spentIndex } = context;
	return { daemon: id, txIndex, addressIndex, spentIndex };
};

/** Makes a daemon's first peer claim this number of blocks; 0 ends the claim. */
const claim: Action = (network, body) => {
	const { id, context } = daemonOf(network, body);
	context.claimed = whole(body, 'blocks', null, MOST_CLAIMED);
	return { daemon: id, blocks: context.claimed };
};

/**
 * Changes how a daemon appears to have been started: with a reported `ac_perc` (0 for none), on blocks of an
 * earlier release without coin totals, or without a wallet.
 */
const started: Action = (network, body) => {
	const { id, context } = daemonOf(network, body);
	if (value(body, 'commission') !== undefined) {
		context.commission = whole(body, 'commission', null, MOST_COMMISSION);
	}
	if (value(body, 'upgraded') !== undefined) context.upgraded = flag(body, 'upgraded');
	if (value(body, 'wallet') !== undefined) context.hasWallet = flag(body, 'wallet');
	const { commission, upgraded, hasWallet } = context;
	return { daemon: id, commission, upgraded, wallet: hasWallet };
};

const state: Action = (network) => ({
	profile: network.profile.name,
	automatic: network.isAutomatic,
	now: network.now(),
	chains: [...network.ledgers.values()].map((ledger) => ({
		name: ledger.symbol,
		...tipOf(ledger),
		mempool: ledger.mempool.size,
		notarized: ledger.lastNotarizedHeight()
	})),
	daemons: [...network.daemons.values()].map((daemon) => ({
		id: daemon.id,
		chain: daemon.ledger.symbol,
		pubkey: daemon.key.pubkeyHex,
		address: daemon.key.address,
		open: daemon.http.isOpen,
		locked: daemon.wallet.locked,
		faults: daemon.faults.list()
	}))
});

/** State digest of each chain; separate from `/state` because it takes as long as mining a block. */
const digests: Action = (network) =>
	[...network.ledgers.values()].map((ledger) => ledger.stateDigest());

/** Actions of the control API by method and path. */
export const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
	['POST /mine', mine],
	['POST /notarize', notarize],
	['POST /notarize-kmd', notarizeKmd],
	['POST /back-notarize', backNotarize],
	['POST /reorg', reorg],
	['POST /fault', fault],
	['POST /clock', clock],
	['POST /auto', auto],
	['POST /wallet', wallet],
	['POST /claims', claim],
	['POST /indexes', indexes],
	['POST /started', started],
	['GET /state', state],
	['GET /digests', digests],
	...kdfActions
]);
